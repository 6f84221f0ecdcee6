package main

import (
	"fmt"
	"io"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sphereserver/data"
	"sphereserver/server/admin"
)

// accountCommand is "sphere account" with all below it.
func accountCommand(env *environment) *cobra.Command {
	o := &operatorCommand{env: env}
	c := group("account", "Manage accounts and bans, whether the server runs or not",
		accountAdd(o), accountList(o), accountPasswd(o), accountRole(o), accountBan(o), accountUnban(o),
		accountMute(o), accountUnmute(o), accountDelete(o))
	o.addJSONFlag(c)
	return c
}

// passwordFlags are those of commands that take a password.
type passwordFlags struct {
	password  string
	fromInput bool
}

func (f *passwordFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.password, "password", "", "the password; others on this machine may see it while the command runs")
	c.Flags().BoolVar(&f.fromInput, "password-stdin", false, "read the password from the first line of the standard input")
}

func (f *passwordFlags) read(c *cobra.Command, o *operatorCommand) (string, error) {
	var given *string
	if c.Flags().Changed("password") {
		given = &f.password
		if f.fromInput {
			return "", usagef(c, "expected --password or --password-stdin, found both")
		}
	}
	return o.password(c.Context(), given, f.fromInput)
}

func accountAdd(o *operatorCommand) *cobra.Command {
	var password passwordFlags
	role := roleFlag(data.Player)
	c := &cobra.Command{
		Use: "add LOGIN", Short: "Create an account", Args: expect(0, "a login"),
		Long: "Create an account. Without --password and --password-stdin the password is asked for.",
		RunE: func(c *cobra.Command, args []string) error {
			if err := data.CheckLogin(args[0]); err != nil {
				return err
			}
			p, err := password.read(c, o)
			if err != nil {
				return err
			}
			return o.reach(c.Context(), true, func(op admin.Operator) error {
				a, err := op.AddAccount(c.Context(), admin.NewAccount{Login: args[0], Password: p, Role: data.Role(role)})
				if err != nil {
					return err
				}
				return o.print(a, func(w io.Writer) { fmt.Fprintf(w, "added account %s (%s)\n", a.Login, a.Role) })
			})
		},
	}
	password.add(c)
	c.Flags().Var(&role, "role", "player, helper, gamemaster or administrator")
	return c
}

func accountList(o *operatorCommand) *cobra.Command {
	var banned bool
	c := &cobra.Command{
		Use: "list [TEXT]", Short: "List accounts, those whose login contains TEXT", Args: expect(1, "a part of a login"),
		RunE: func(c *cobra.Command, args []string) error {
			return o.reach(c.Context(), false, func(op admin.Operator) error {
				accounts, err := op.Accounts(c.Context(), admin.Search{Like: strings.Join(args, "")})
				if err != nil {
					return err
				}
				if !banned {
					return o.print(accounts, func(w io.Writer) { accountTable(w, accounts) })
				}
				return listBanned(c, o, op, accounts)
			})
		},
	}
	c.Flags().BoolVar(&banned, "banned", false, "list banned accounts and addresses only")
	return c
}

func accountTable(w io.Writer, accounts []admin.Account) {
	var rows [][]string
	for _, a := range accounts {
		state := "offline"
		switch {
		case a.Ban != nil:
			state = banText(*a.Ban)
		case a.Online:
			state = "online"
		}
		rows = append(rows, []string{a.Login, a.Role.String(), state, when(a.Created), when(a.LastLogin), a.LastAddress, strings.Join(a.Characters, ", ")})
	}
	table(w, []string{"LOGIN", "ROLE", "STATE", "CREATED", "LAST LOGIN", "FROM", "CHARACTERS"}, rows)
}

func listBanned(c *cobra.Command, o *operatorCommand, op admin.Operator, accounts []admin.Account) error {
	banned := struct {
		Accounts  []admin.Account    `json:"accounts"`
		Addresses []admin.AddressBan `json:"addresses"`
	}{Accounts: []admin.Account{}}
	var err error
	if banned.Addresses, err = op.AddressBans(c.Context(), admin.Nothing{}); err != nil {
		return err
	}
	var rows [][]string
	for _, a := range accounts {
		if a.Ban != nil {
			banned.Accounts = append(banned.Accounts, a)
			rows = append(rows, []string{a.Login, banText(*a.Ban), a.Ban.By, when(a.Ban.At), a.Ban.Reason})
		}
	}
	for _, a := range banned.Addresses {
		rows = append(rows, []string{a.Prefix.String(), banText(a.Ban), a.By, when(a.At), a.Reason})
	}
	return o.print(banned, func(w io.Writer) { table(w, []string{"WHO", "STATE", "BY", "SINCE", "REASON"}, rows) })
}

func banText(b admin.Ban) string {
	if b.Until.IsZero() {
		return "banned for ever"
	}
	return "banned until " + when(b.Until)
}

func accountPasswd(o *operatorCommand) *cobra.Command {
	var password passwordFlags
	c := &cobra.Command{
		Use: "passwd LOGIN", Short: "Change the password and end the sessions of an account", Args: expect(0, "a login"),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := password.read(c, o)
			if err != nil {
				return err
			}
			return o.reach(c.Context(), false, func(op admin.Operator) error {
				a, err := op.SetPassword(c.Context(), admin.Password{Login: args[0], Password: p})
				if err != nil {
					return err
				}
				return o.print(a, func(w io.Writer) { fmt.Fprintf(w, "changed the password of %s\n", a.Login) })
			})
		},
	}
	password.add(c)
	return c
}

func accountRole(o *operatorCommand) *cobra.Command {
	return &cobra.Command{
		Use: "role LOGIN ROLE", Short: "Make an account player, helper, gamemaster or administrator", Args: expect(0, "a login", "a role"),
		RunE: func(c *cobra.Command, args []string) error {
			role, err := data.ParseRole(args[1])
			if err != nil {
				return usagef(c, "%v", err)
			}
			return o.reach(c.Context(), false, func(op admin.Operator) error {
				a, err := op.SetRole(c.Context(), admin.RoleChange{Login: args[0], Role: role})
				if err != nil {
					return err
				}
				return o.print(a, func(w io.Writer) { fmt.Fprintf(w, "%s is now %s\n", a.Login, a.Role) })
			})
		},
	}
}

// loginOrAddress checks that a ban is either of an account or of an address.
func loginOrAddress(address *prefixFlag) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if !c.Flags().Changed("address") {
			return expect(0, "a login or --address")(c, args)
		}
		if len(args) > 0 {
			return usagef(c, "expected a login or --address, found both %q and %s", args[0], address)
		}
		return nil
	}
}

func accountBan(o *operatorCommand) *cobra.Command {
	var address prefixFlag
	var length spanFlag
	var reason string
	c := &cobra.Command{
		Use: "ban LOGIN | --address ADDRESS", Short: "Keep an account or an address out", Args: loginOrAddress(&address),
		Long: "Keep an account or an address out, for ever unless --for says how long. The sessions of the account are ended; who is in\nfrom the address stays until they leave.",
		RunE: func(c *cobra.Command, args []string) error {
			var until time.Time
			if length > 0 {
				until = time.Now().Add(time.Duration(length))
			}
			return o.reach(c.Context(), false, func(op admin.Operator) error {
				if len(args) == 0 {
					b, err := op.BanAddress(c.Context(), admin.AddressBan{Prefix: address.Prefix, Ban: admin.Ban{Until: until, Reason: reason}})
					if err != nil {
						return err
					}
					return o.print(b, func(w io.Writer) { fmt.Fprintf(w, "%s is %s\n", b.Prefix, banText(b.Ban)) })
				}
				a, err := op.BanAccount(c.Context(), admin.AccountBan{Login: args[0], Until: until, Reason: reason})
				if err != nil {
					return err
				}
				return o.print(a, func(w io.Writer) { fmt.Fprintf(w, "%s is %s\n", a.Login, banText(*a.Ban)) })
			})
		},
	}
	c.Flags().Var(&address, "address", "an address or a network like 203.0.113.0/24")
	c.Flags().Var(&length, "for", "how long: 30m, 12h, 7d")
	c.Flags().StringVar(&reason, "reason", "", "why, for other operators")
	return c
}

func accountUnban(o *operatorCommand) *cobra.Command {
	var address prefixFlag
	c := &cobra.Command{
		Use: "unban LOGIN | --address ADDRESS", Short: "Let an account or an address in again", Args: loginOrAddress(&address),
		RunE: func(c *cobra.Command, args []string) error {
			return o.reach(c.Context(), false, func(op admin.Operator) error {
				if len(args) == 0 {
					b, err := op.UnbanAddress(c.Context(), admin.AddressBan{Prefix: address.Prefix})
					if err != nil {
						return err
					}
					return o.print(b, func(w io.Writer) { fmt.Fprintf(w, "%s is no longer banned\n", b.Prefix) })
				}
				a, err := op.UnbanAccount(c.Context(), admin.AccountName{Login: args[0]})
				if err != nil {
					return err
				}
				return o.print(a, func(w io.Writer) { fmt.Fprintf(w, "%s is no longer banned\n", a.Login) })
			})
		},
	}
	c.Flags().Var(&address, "address", "an address or a network like 203.0.113.0/24")
	return c
}

func accountMute(o *operatorCommand) *cobra.Command {
	var length spanFlag
	var reason string
	c := &cobra.Command{
		Use: "mute LOGIN", Short: "Keep an account from speaking", Args: expect(0, "a login"),
		Long: "Keep an account from speaking, for ever unless --for says how long. Who is in the world is told so.",
		RunE: func(c *cobra.Command, args []string) error {
			m := admin.AccountMute{Login: args[0], Reason: reason}
			if length > 0 {
				m.Until = time.Now().Add(time.Duration(length))
			}
			return o.reach(c.Context(), false, func(op admin.Operator) error {
				a, err := op.MuteAccount(c.Context(), m)
				if err != nil {
					return err
				}
				return o.print(a, func(w io.Writer) {
					end := "for ever"
					if !a.Mute.Until.IsZero() {
						end = "until " + when(a.Mute.Until)
					}
					fmt.Fprintf(w, "%s is mute %s\n", a.Login, end)
				})
			})
		},
	}
	c.Flags().Var(&length, "for", "how long: 30m, 12h, 7d")
	c.Flags().StringVar(&reason, "reason", "", "why; the player is told")
	return c
}

func accountUnmute(o *operatorCommand) *cobra.Command {
	return &cobra.Command{
		Use: "unmute LOGIN", Short: "Let an account speak again", Args: expect(0, "a login"),
		RunE: func(c *cobra.Command, args []string) error {
			return o.reach(c.Context(), false, func(op admin.Operator) error {
				a, err := op.UnmuteAccount(c.Context(), admin.AccountName{Login: args[0]})
				if err != nil {
					return err
				}
				return o.print(a, func(w io.Writer) { fmt.Fprintf(w, "%s may speak again\n", a.Login) })
			})
		},
	}
}

func accountDelete(o *operatorCommand) *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use: "delete LOGIN", Short: "Delete an account with its characters and all they own", Args: expect(0, "a login"),
		RunE: func(c *cobra.Command, args []string) error {
			return o.reach(c.Context(), false, func(op admin.Operator) error {
				a, err := op.Account(c.Context(), admin.AccountName{Login: args[0]})
				if err != nil {
					return err
				}
				if !yes {
					question := fmt.Sprintf("Delete account %s with all that its characters own (%s)?", a.Login, strings.Join(a.Characters, ", "))
					if len(a.Characters) == 0 {
						question = fmt.Sprintf("Delete account %s, which has no characters?", a.Login)
					}
					if err := o.confirm(c.Context(), question); err != nil {
						return err
					}
				}
				a, err = op.DeleteAccount(c.Context(), admin.AccountName{Login: a.Login})
				if err != nil {
					return err
				}
				return o.print(a, func(w io.Writer) { fmt.Fprintf(w, "deleted account %s\n", a.Login) })
			})
		},
	}
	c.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return c
}

// A roleFlag is a role in a command line.
type roleFlag data.Role

func (f *roleFlag) String() string { return data.Role(*f).String() }

// Type is what the help shows.
func (f *roleFlag) Type() string { return "ROLE" }

// Set reads what was given.
func (f *roleFlag) Set(text string) error {
	r, err := data.ParseRole(text)
	*f = roleFlag(r)
	return err
}

// A spanFlag is a length of time in a command line, with days.
type spanFlag time.Duration

func (f *spanFlag) String() string {
	if *f == 0 {
		return ""
	}
	return time.Duration(*f).String()
}

// Type is what the help shows.
func (f *spanFlag) Type() string { return "TIME" }

// maxSpanDays keeps a ban within the years that a calendar can show.
const maxSpanDays = 36500

// Set reads what was given.
func (f *spanFlag) Set(text string) error {
	d, err := time.ParseDuration(text)
	if days, isDays := strings.CutSuffix(text, "d"); isDays {
		var n int
		n, err = strconv.Atoi(days)
		d = time.Duration(min(n, maxSpanDays)) * 24 * time.Hour
	}
	if err != nil || d <= 0 || d > maxSpanDays*24*time.Hour {
		return fmt.Errorf("expected a time like 30m, 12h or 7d")
	}
	*f = spanFlag(d)
	return nil
}

// A prefixFlag is an address or a network in a command line.
type prefixFlag struct{ netip.Prefix }

func (f *prefixFlag) String() string {
	if !f.IsValid() {
		return ""
	}
	return f.Prefix.String()
}

// Type is what the help shows.
func (f *prefixFlag) Type() string { return "ADDRESS" }

// Set reads what was given.
func (f *prefixFlag) Set(text string) (err error) {
	f.Prefix, err = data.ParsePrefix(text)
	return err
}
