// The theme that was chosen, before anything is drawn. Without a choice the system's counts.
(() => {
  try {
    const theme = localStorage.getItem('docent.theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch { /* storage is forbidden: the system's theme counts */ }
})();
