package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"sphereserver/data/atomicfile"
	"sphereserver/data/content/clientfiles"
	"sphereserver/data/lazyregexp"
	"sphereserver/server/config"
)

func clientCommand(env *environment) *cobra.Command {
	return group("client", "Set up the original client", clientServersCommand(env))
}

func clientServersCommand(env *environment) *cobra.Command {
	return &cobra.Command{
		Use:   "servers-cfg FILE [ADDRESS]",
		Short: "Show the client's packed servers.cfg, or point it at a server",
		Long: "Show the client's packed servers.cfg. With an ADDRESS, write that as the one server of the file; what the " +
			"file was\n" +
			"at first is kept beside it, with .old at its end. A servers.cfg that does not exist or is damaged is made anew,\n" +
			"of that copy if there is one.",
		Example: "  sphere client servers-cfg params/servers.cfg\n" +
			"  sphere client servers-cfg params/servers.cfg 192.168.0.10",
		Args: expect(1, "the client's servers.cfg", "an address"),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				content, err := readServers(args[0])
				if err == nil {
					_, err = env.out.Write(content)
				}
				return err
			}
			if why := noServer(args[1]); why != nil {
				return usagef(c, "address %q: %v", args[1], why)
			}
			return pointServers(env, args[0], args[1])
		},
	}
}

// hostName is a name of a machine: letters, digits and hyphens between dots.
var hostName = func() *regexp.Regexp {
	const label = `[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?`
	return regexp.MustCompile(`^(` + label + `\.)*` + label + `$`)
}()

// withoutZeros returns an address without leading zeros in its numbers; false if that is no address either.
func withoutZeros(text string) (string, bool) {
	parts := strings.Split(text, ".")
	for i, part := range parts {
		parts[i] = cmp.Or(strings.TrimLeft(part, "0"), "0")
	}
	near := strings.Join(parts, ".")
	_, err := netip.ParseAddr(near)
	return near, err == nil
}

// noServer says why a text is no server that the client could connect to; nil if it may be one. The client knows IPv4
// addresses and names, and one port.
func noServer(text string) error {
	a, err := netip.ParseAddr(text)
	switch host, port, split := net.SplitHostPort(text); {
	case strings.Contains(text, "://"):
		if u, err := url.Parse(text); err == nil && noServer(u.Hostname()) == nil {
			return failf("expected an address alone, without what stands before it in a browser, did you mean %s?", u.Hostname())
		}
		return failf("expected an address alone, without what stands before it in a browser")
	case err == nil && a.Is6():
		return failf("the client knows no IPv6: expected an IPv4 address or a name")
	case split == nil && port != "":
		return failf("expected an address without a port, such as %s: the client always connects to the same one, 25860",
			host)
	case err == nil && (a.IsUnspecified() || a.IsMulticast() || a == netip.AddrFrom4([4]byte{255, 255, 255, 255})):
		return failf("expected the address of one machine, as players reach it")
	case err == nil:
		return nil
	case config.NumericHost(text):
		if near, ok := withoutZeros(text); ok {
			return failf("expected four numbers from 0 to 255, as in 192.168.0.10, or a name, did you mean %s?", near)
		}
		return failf("expected four numbers from 0 to 255, as in 192.168.0.10, or a name")
	case strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII && unicode.IsLetter(r) }):
		return failf("the client knows Latin letters only: expected the name as the registrar of the domain has it in " +
			"Latin letters, like xn--e1afmkfd.xn--p1ai, or an IPv4 address")
	case len(text) > 253 || !hostName.MatchString(text):
		return failf("expected an IPv4 address, as in 192.168.0.10, or a name, as in sphere.example")
	}
	return nil
}

func readServers(path string) ([]byte, error) {
	file, err := readBounded(path, mostServers)
	if err != nil {
		return nil, err
	}
	content, err := clientfiles.UnpackParams(file)
	if err != nil {
		return nil, failf("%s: %v", path, err)
	}
	return content, nil
}

// newServers is the text of a new file. The meaning of the numbers of a CNTR line is not known; the client's own file
// has such lines.
const newServers = "SRV00 \"\"\r\nCNTR0001 1\r\n"

var serverLine = lazyregexp.Of(`(?m)^([ \t]*SRV00[ \t]+)"[^"\r\n]*"`)

func pointServers(env *environment, path, address string) error {
	if folder := filepath.Dir(path); !isFolder(folder) {
		return failf("there is no folder %s: expected FILE in the folder params of the client", folder)
	}
	if err := mistypedServers(path); err != nil {
		return err
	}
	old, whole, err := oldServers(env, path)
	if err != nil {
		return err
	}
	if !serverLine().Match(old) {
		return failf("%s: expected a line SRV00 \"address\", found none", path)
	}
	content := serverLine().ReplaceAll(old, fmt.Appendf(nil, `${1}"%s"`, strings.ReplaceAll(address, "$", "$$")))
	if whole && bytes.Equal(content, old) {
		env.answers().line("%s points at %s already", path, address)
		return nil
	}
	file, err := clientfiles.PackParams(content)
	if err == nil {
		err = keepFirst(path)
	}
	if err == nil {
		err = atomicfile.Write(path, file, 0o644)
	}
	if err != nil {
		return err
	}
	env.answers().line("%s points at %s now", path, address)
	return nil
}

// serversFile is the only name under which the client looks for its server.
const serversFile = "servers.cfg"

// mostServers is how many bytes a file of servers has at most, a limit of ours: the client's own has a few hundred.
const mostServers = 1 << 20

// mistypedServers refuses a file that is not there where the name is not the client's, or another file has it in other
// letters: a new one would help nobody.
func mistypedServers(path string) error {
	folder, name := filepath.Split(path)
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	entries, _ := os.ReadDir(cmp.Or(folder, ".")) // a folder that cannot be read has nothing near
	for _, e := range entries {
		if strings.EqualFold(e.Name(), name) || strings.EqualFold(e.Name(), serversFile) {
			return failf("there is no file %s, did you mean %s?", path, filepath.Join(folder, e.Name()))
		}
	}
	if name != serversFile {
		return failf("there is no file %s: expected the client's file %s", path, serversFile)
	}
	return nil
}

// oldServers is the text of a file, or, where it is not there or not whole, of the copy of the client's own file, or
// the beginning of a new one. A file that is there and cannot be read is not to be replaced: that is an error.
func oldServers(env *environment, path string) (content []byte, whole bool, err error) {
	content, err = readServers(path)
	switch {
	case err == nil:
		return content, true, nil
	case errors.Is(err, fs.ErrNotExist):
	case errors.As(err, new(*fs.PathError)):
		return nil, false, err
	default:
		env.note("%v; the file is made anew", err)
	}
	if content, err = readServers(path + keptSuffix); err != nil {
		content = []byte(newServers)
	}
	return content, false, nil
}

// keptSuffix ends the name of the copy of the client's own file.
const keptSuffix = ".old"

// keepFirst keeps the file as it came with the client: a copy that is there already is older, so it stays.
func keepFirst(path string) error {
	if _, err := os.Stat(path + keptSuffix); err == nil {
		return nil
	}
	file, err := readBounded(path, mostServers)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	return atomicfile.Write(path+keptSuffix, file, 0o644)
}
