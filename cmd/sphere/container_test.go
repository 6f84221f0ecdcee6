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

// Logs of containers do not fill the disk, and the documents say how a backup comes back into one.
func TestContainersAreKeptInOrder(t *testing.T) {
	for file, wants := range map[string][]string{
		"../../contrib/compose.yaml":   {"driver: local", "network_mode: host", "down -v"},
		"../../contrib/Dockerfile":     {"--log-driver local"},
		"../../docs/operating.md":      {"docker compose run --rm -u 0 sphere db restore /data/backups/", "chown -R 65532:65532"},
		"../../docs/operating.ru.md":   {"docker compose run --rm -u 0 sphere db restore /data/backups/", "chown -R 65532:65532"},
		"../../contrib/sphere.service": {"StartLimitBurst=10", "RestartPreventExitStatus=2"},
	} {
		text := readText(t, file)
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s has no %q", file, want)
			}
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
