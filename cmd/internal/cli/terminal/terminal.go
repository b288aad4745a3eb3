// Package terminal opens the terminal app over a home.
//
// It passes configuration, environment and programs of
// the desktop on to the app; it refuses to know what the app shows.
package terminal

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
	"docent/cmd/internal/cli/backend"
	"docent/cmd/internal/cli/driver"
	"docent/cmd/internal/cli/invocation"
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

// Start is how the app begins: on a question, on a session that was saved, or on neither.
type Start struct {
	Question string
	Saved    *pipeline.Saved
	// Questions are the operations that the list of actions offers.
	Questions []driver.Question
}

// Open opens the terminal app.
func Open(ctx context.Context, c *invocation.Call, begin Start) error {
	opened := c.Options()
	opened.Door = app.DoorApp
	b := backend.New(opened)
	// An unusable configuration is reported when the home is opened.
	cfg, faults, err := app.LoadConfig(c.Options())
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
	keeper := sessions.Keeper{Home: c.Options().HomeDir(), Dir: dir, Now: time.Now}
	opt := tui.Options{
		Notice: notice, Keys: keys, Theme: chosenTheme(cfg.Theme), MouseOff: !cfg.Mouse, Saved: begin.Saved,
		Keeper: keeper, Kept: keeper.State(), KeepState: keeper.KeepState,
		Backend: b, Question: begin.Question, Version: home.Version, NoColor: c.NoColor,
		InTmux: c.IO.Env("TMUX") != "", InScreen: c.IO.Env("STY") != "" && c.IO.Env("TMUX") == "", SSH: c.IO.Env("SSH_CONNECTION") != "" ||
			c.IO.Env("SSH_TTY") != "",
		CopyNative: desktop.Copy, TmuxLoad: desktop.CopyInTmux,
	}
	opt.Request = pipeline.Request{DocSets: c.Sets, MaxDocs: cfg.DocsLimit(),
		Preferences: contract.Preferences{Extent: cfg.AnswerExtent(), Lines: cmp.Or(cfg.Lines, contract.DefaultLines)}}
	for _, q := range begin.Questions {
		opt.Operations = append(opt.Operations, tui.Operation{Name: q.Name, About: q.Line, OnPage: q.OnPage, Run: b.Asks(q.Ask)})
	}
	opt.Project = func(ctx context.Context) tui.Project {
		n, remark := c.ProjectSets(ctx, b.Current().Services)
		return tui.Project{Name: n.Project, DocSets: n.DocSets, Remark: remark}
	}
	opt.Background, opt.Recheck, opt.AllowServer = b.Background, recheck, b.AllowServer
	if cfg.Watch {
		opt.Follow = b.Follow
	}
	if e, ok := desktop.NewEditor(c.IO.Env); ok {
		opt.Edit = func(ctx context.Context, docSet, filePath string, line int) (*exec.Cmd, error) {
			path, err := b.Current().Home.Corpus.FilePath(ctx, docSet, filePath)
			if err != nil {
				return nil, err
			}
			at, err := b.Current().Home.Corpus.Location(ctx, docSet, filePath, line)
			if err != nil {
				return nil, err
			}
			return e.Command(path, max(1, at.Line))
		}
	}
	if w, ok := desktop.NewBrowser(runtime.GOOS, c.IO.Env); ok {
		opt.Browse = w.Open
	}
	if c.IO.StayOpen != nil {
		c.IO.StayOpen()
	}
	return c.Ending.During(false, true, func() error {
		err := tui.Run(ctx, opt)
		return errors.Join(err, b.Close())
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
