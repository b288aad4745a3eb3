package httpapi

import "net/http"

// packagesEndpoints give the packages of docent pack to everybody who reaches the server: whoever names a
// folder for them in the configuration publishes it.
func packagesEndpoints() []endpoint {
	return []endpoint{{method: http.MethodGet, path: "/packages/{name}", id: "package", about: "packages of doc sets, and their list",
		open: true, homeless: true, foreign: true, serve: func(c *call) error {
			c.setWriteDeadline()
			c.opt.Packages.ServeHTTP(c.w, c.r)
			return nil
		}}}
}
