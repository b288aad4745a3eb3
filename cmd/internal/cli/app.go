package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"time"

	"docent/cmd/internal/app"
	"docent/cmd/internal/config"
	"docent/cmd/internal/desktop"
	"docent/cmd/internal/sessions"
	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/service/home"
	"docent/tui"
	"docent/tui/keymap"
	"docent/tui/style"
)

// recheck is how often the app compares the doc sets with the disk, which takes some
// milliseconds for a thousand pages.
const recheck = 20 * time.Second

// openTerminalApp opens the terminal app, on a question or on a session that was saved.
func (c *command) openTerminalApp(ctx context.Context, question string, saved *pipeline.Saved) error {
	b := &backend{opt: c.options()}
	b.opt.Door = app.DoorApp
	// An unusable configuration is reported when the home is opened.
	cfg, faults, err := app.LoadConfig(c.options())
	notice := ""
	switch {
	case err != nil:
		cfg = config.Config{Mouse: true}
	case len(faults) > 0:
		notice = fmt.Sprintf("%v; as by default instead (docent config lint)", faults[0])
	}
	keys, _ := keymap.Rebind(cfg.Keys) // checked when they were read
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	keeper := sessions.Keeper{Home: c.options().HomeDir(), Dir: dir, Now: time.Now}
	opt := tui.Options{
		Notice: notice, Keys: keys, Theme: chosenTheme(cfg.Theme), MouseOff: !cfg.Mouse, Saved: saved,
		Keeper: keeper, Kept: keeper.State(), KeepState: keeper.KeepState,
		Backend: b, Question: question, Version: home.Version, NoColor: c.noColor,
		InTmux: c.io.Env("TMUX") != "", InScreen: c.io.Env("STY") != "" && c.io.Env("TMUX") == "", SSH: c.io.Env("SSH_CONNECTION") != "" ||
			c.io.Env("SSH_TTY") != "",
		CopyNative: desktop.Copy, TmuxLoad: desktop.CopyInTmux,
	}
	opt.Request = pipeline.Request{DocSets: c.sets, MaxDocs: cfg.DocsLimit(),
		Preferences: contract.Preferences{Extent: cfg.AppExtent(), Lines: cmp.Or(cfg.Lines, contract.DefaultLines)}}
	opt.Background, opt.Recheck, opt.AllowServer = b.background, recheck, b.allowServer
	if cfg.Watch {
		opt.Follow = b.follow
	}
	if e, ok := desktop.NewEditor(c.io.Env); ok {
		opt.Edit = func(ctx context.Context, docSet, filePath string, line int) (*exec.Cmd, error) {
			path, err := b.currentApp().Home.Corpus.FilePath(ctx, docSet, filePath)
			if err != nil {
				return nil, err
			}
			at, err := b.currentApp().Home.Corpus.Location(ctx, docSet, filePath, line)
			if err != nil {
				return nil, err
			}
			return e.Command(path, max(1, at.Line))
		}
	}
	if w, ok := desktop.NewBrowser(runtime.GOOS, c.io.Env); ok {
		opt.Browse = w.Open
	}
	return c.ending.during(false, true, func() error {
		err := tui.Run(ctx, opt)
		return errors.Join(err, b.close())
	})
}

// chosenTheme is the configured theme; "" for the default, which the theme chosen in the
// app overrides.
func chosenTheme(configured string) style.Theme {
	if style.Theme(configured) == style.Auto {
		return ""
	}
	return style.Theme(configured)
}

// AppSettings is what the terminal app says about its settings in docent.toml.
func AppSettings() config.App {
	return config.App{Themes: style.ThemeNames(), CheckKeys: func(keys map[string][]string) (faults []config.Fault) {
		keymap.CheckKeys(keys, func(action, message string) {
			faults = append(faults, config.Fault{Key: action, Message: message})
		})
		return faults
	}}
}
