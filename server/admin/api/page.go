package api

import (
	"bytes"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"

	"sphereserver/server/admin/web"
)

var pageFiles, _ = web.Page()

// page serves the files of the page. What has no file is the page itself, which finds its way by the address.
func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		s.fail(&request{Request: r, w: w}, errMethod.with("GET"))
		return
	}
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	if name == "" || path.Ext(name) == "" {
		name = "index.html"
	}
	body, err := fs.ReadFile(pageFiles, name)
	if err != nil {
		s.fail(&request{Request: r, w: w}, errNoRoute)
		return
	}
	w.Header().Set("Cache-Control", "no-cache")
	if strings.HasPrefix(name, "assets/") { // their names change with what is in them
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(body))
}
