package recording

import (
	"strings"
	"testing"

	"sphereserver/packets"
)

// Wherever a line of chat is cut into parts, the passwords of a command are not in the recording.
func TestPasswordsInChatAreBlanked(t *testing.T) {
	const old, fresh = "oldsecret", "freshsecret"
	for _, line := range []string{`<l="player://Hero">Hero</l>: /password ` + old + " " + fresh + " " + fresh,
		"/ПАРОЛЬ " + old + " " + fresh + " " + fresh} {
		runes := []rune(line)
		for cut := range len(runes) {
			for _, mask := range []bool{true, false} {
				b := &Blanker{Dialect: packets.Dialect2026, Key: packets.GreetingKey, LoggedIn: true}
				var kept strings.Builder
				for _, c := range []packets.Command{&packets.ChatHeader{Channel: 2, Length: uint32(len(runes)), Parts: 2},
					&packets.ChatPart{Channel: 2, Text: string(runes[:cut]) + "\x00"},
					&packets.ChatPart{Channel: 2, Index: 1, Text: string(runes[cut:]) + "\x00\x00\x00\x00\x00"},
					&packets.ChatHeader{Channel: 2, Length: 4, Parts: 1},
					&packets.ChatPart{Channel: 2, Text: "good\x00\x00\x00\x00\x00"}} {
					kept.WriteString(strings.ReplaceAll(chatThrough(t, b, c, mask), "\x00", ""))
				}
				got := kept.String()
				for _, secret := range []string{old, fresh, "secret"} {
					if strings.Contains(got, secret) {
						t.Fatalf("cut at %d, %q is kept", cut, got)
					}
				}
				if !strings.HasSuffix(got, "good") || len([]rune(got)) != len(runes)+4 {
					t.Fatalf("cut at %d, %q is kept", cut, got)
				}
			}
		}
	}
}

// chatThrough sends a command through a blanker, and returns the text that is kept.
func chatThrough(t *testing.T, b *Blanker, c packets.Command, mask bool) string {
	t.Helper()
	f := packets.Frame{Direction: packets.FromClient, Channel: packets.ChannelGameplay,
		Body: packets.Message(0, 0x1234, packets.ClassPlayer, &packets.Manager{Command: c})}
	frame, err := f.Append(nil, b.Dialect)
	if err != nil {
		t.Fatal(err)
	}
	if mask {
		packets.Obfuscate(frame)
	}
	kept := b.Frame(frame)
	if mask {
		packets.Deobfuscate(kept)
	}
	out, err := packets.DecodeFrame(kept, packets.FromClient, b.Dialect)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range out.Body.Sections {
		for _, r := range s.Regions {
			if command, _ := packets.CommandOf(r); command != nil {
				if part, is := command.(*packets.ChatPart); is {
					return part.Text
				}
			}
		}
	}
	return ""
}
