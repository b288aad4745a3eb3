package httpapi

import "net/http"

// dashboardEndpoints are the dashboard's page and its files. They hold no data: they ask
// the other operations, with the user's login token.
func dashboardEndpoints() []endpoint {
	one := func(path, id string) endpoint {
		return endpoint{method: http.MethodGet, path: path, id: id, about: "the dashboard", open: true, homeless: true, foreign: true,
			serve: func(c *call) error {
				c.setWriteDeadline()
				c.page.ServeHTTP(c.w, c.r)
				return nil
			}}
	}
	return []endpoint{one("/", "dashboard"), one("/assets/{name}", "dashboardFile")}
}
