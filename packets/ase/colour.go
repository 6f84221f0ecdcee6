package ase

import "regexp"

// colours are the codes for colours in the names of games that have them: "#RRGGBB" in Multi Theft Auto, "$" and a
// digit in Far Cry. Source: protocol ase 8.
var colours = map[string]*regexp.Regexp{
	"mta":    regexp.MustCompile(`#[0-9A-Fa-f]{6}`),
	"farcry": regexp.MustCompile(`\$[0-9]`),
}

// WithoutColours returns a name of a game without that game's codes for colours, or the name itself when nothing else
// is in it. Names of other games are returned as they are.
func WithoutColours(game, name string) string {
	if codes := colours[game]; codes != nil {
		if plain := codes.ReplaceAllLiteralString(name, ""); plain != "" {
			return plain
		}
	}
	return name
}
