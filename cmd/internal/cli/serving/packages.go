package serving

import (
	"log/slog"
	"net/http"

	"docent/cmd/internal/config"
	"docent/cmd/internal/httpapi"
	"docent/cmd/internal/shelf"
)

// packagesOf serves the folder of packages that the configuration names; nil where it names no folder.
func packagesOf(cfg config.Config, log *slog.Logger) http.Handler {
	folder := cfg.PackagesFolder()
	if folder == "" {
		return nil
	}
	return &shelf.Handler{Folder: folder, Write: httpapi.DefaultWrite, Fault: func(file string, err error) {
		log.Warn("a package cannot be served", "folder", folder, "file", file, "error", err)
	}}
}
