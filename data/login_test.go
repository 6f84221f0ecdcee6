package data

import (
	"strings"
	"testing"
)

func TestCheckLoginAndPassword(t *testing.T) {
	for _, login := range []string{"a", "user@example.com", "Вася Пупкин", "№1", strings.Repeat("я", 50)} {
		if err := CheckLogin(login); err != nil {
			t.Errorf("%q: %v", login, err)
		}
	}
	for login, rule := range map[string]string{
		"": "found none", " a": "no space at its ends", "a ": "no space at its ends", "a\tb": "control",
		"a\u00a0b": "visible", "a\u00adb": "visible",
		"日": "Windows-1251", strings.Repeat("я", 51): "found more",
	} {
		if err := CheckLogin(login); err == nil || !strings.Contains(err.Error(), rule) {
			t.Errorf("%q: expected %q, found %v", login, rule, err)
		}
	}
	for _, p := range []string{"a", " ", "пароль", strings.Repeat("я", 100)} {
		if err := CheckPassword(p); err != nil {
			t.Errorf("%q: %v", p, err)
		}
	}
	for p, rule := range map[string]string{"": "found 0", strings.Repeat("q", 101): "found 101", "secret\n": "control",
		"secret日": "Windows-1251"} {
		err := CheckPassword(p)
		if err == nil || !strings.Contains(err.Error(), rule) {
			t.Errorf("%q: expected %q, found %v", p, rule, err)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("the password is in the error %v", err)
		}
	}
}
