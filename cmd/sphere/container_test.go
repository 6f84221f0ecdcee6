package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sphereserver/server/config"
)

// The image has the page and reaches it, and nothing of the data folder gets into its build.
func TestTheContainerImage(t *testing.T) {
	text := readText(t, "../../contrib/Dockerfile")
	for _, want := range []string{"npm run build", "COPY --from=page /src/server/admin/web/dist server/admin/web/dist",
		"EXPOSE 25860/tcp 25860/udp 25983/udp 8860/tcp"} {
		if !strings.Contains(text, want) {
			t.Errorf("the Dockerfile has no %q", want)
		}
	}
	known := []string{"SPHERE_DATA"}
	for _, k := range config.Keys() {
		known = append(known, k.Env())
	}
	for _, name := range regexp.MustCompile(`SPHERE_[A-Z_]+`).FindAllString(text, -1) {
		if !slices.Contains(known, name) {
			t.Errorf("the Dockerfile sets %s, which nothing reads", name)
		}
	}
	if !strings.Contains(text, "SPHERE_ADMIN_LISTEN=:8860") {
		t.Error("nobody outside the container reaches the page")
	}
	ignored := strings.Split(readText(t, "../../.dockerignore"), "\n")
	for _, want := range []string{".git", "**/sphere-data", "**/node_modules", "bin", "dist", "server/admin/web/dist"} {
		if !slices.Contains(ignored, want) {
			t.Errorf(".dockerignore lets %s into the build", want)
		}
	}
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
