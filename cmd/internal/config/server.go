package config

import (
	"strings"

	"docent/cmd/internal/password"
)

// defaultListen is an address that only this machine reaches.
const defaultListen = "127.0.0.1:7717"

// hidden is shown in place of a hash, which would help to guess the password.
const hidden = "(set)"

// passwordHash is the hash of the server's password.
func passwordHash() Setting {
	const key = "server.password_hash"
	return Setting{Key: key, About: "hash of the password that docent serve asks for; docent serve --set-password makes one",
		read: func(c *Config, _ file, value any) []Fault {
			hash, ok := value.(string)
			if !ok {
				return oneFault(key, "it must be a text in quotes")
			}
			if hash != "" {
				if err := password.CheckHash(hash); err != nil {
					return oneFault(key, "%v", err)
				}
			}
			c.PasswordHash = hash
			return nil
		},
		show: func(c *Config) any {
			if c.PasswordHash == "" {
				return ""
			}
			return hidden
		},
	}
}

// namesSetting is a list of any names.
func namesSetting(key, about string, field func(*Config) *[]string) Setting {
	return Setting{Key: key, About: about,
		read: func(c *Config, _ file, value any) []Fault {
			v, ok := readTexts(value)
			if !ok {
				return oneFault(key, "it must be a list of texts, such as [\"docs.example.org\"]")
			}
			for _, name := range v {
				if name == "" || strings.ContainsAny(name, "/ ") {
					return oneFault(key, "%q is no name of a server, such as docs.example.org", name)
				}
			}
			*field(c) = v
			return nil
		},
		show: func(c *Config) any { return strings.Join(*field(c), " ") },
	}
}
