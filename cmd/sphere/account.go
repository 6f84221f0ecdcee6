package main

import (
	"context"
	"fmt"
	"io"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sphereserver/data"
	"sphereserver/server/admin"
	"sphereserver/server/ops"
)

// accountCommand is "sphere account" with all below it.
func accountCommand(env *environment) *cobra.Command {
	o := &operatorCommand{env: env}
	c := group("account", "Manage accounts and bans, whether the server runs or not",
		accountAdd(o), accountList(o), accountPasswd(o), accountRole(o), accountBan(o), accountUnban(o),
		accountMute(o), accountUnmute(o), accountKick(o), accountDelete(o))
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
			n := ops.NewAccount{Login: args[0], Password: p, Role: data.Role(role)}
			return verb(c.Context(), o, ops.AddAccount, n, func(w io.Writer, a ops.Account) {
				fmt.Fprintf(w, "added account %s (%s)\n", a.Login, a.Role)
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
			like := ops.Search{Like: strings.Join(args, "")}
			if !banned {
				return verb(c.Context(), o, ops.ListAccounts, like, accountTable)
			}
			return o.connect(c.Context(), false, func(conn *admin.Conn) error { return listBanned(c.Context(), o, conn, like) })
		},
	}
	c.Flags().BoolVar(&banned, "banned", false, "list banned accounts and addresses only")
	return c
}

func accountTable(w io.Writer, accounts []ops.Account) {
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

func listBanned(ctx context.Context, o *operatorCommand, conn *admin.Conn, like ops.Search) error {
	accounts, err := admin.Do(ctx, conn, ops.ListAccounts, like)
	if err != nil {
		return err
	}
	banned := struct {
		Accounts  []ops.Account    `json:"accounts"`
		Addresses []ops.AddressBan `json:"addresses"`
	}{Accounts: []ops.Account{}}
	if banned.Addresses, err = admin.Do(ctx, conn, ops.ListAddressBans, ops.Empty{}); err != nil {
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

func banText(b ops.Ban) string {
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
			set := ops.Password{AccountName: login(args), Password: p}
			return verb(c.Context(), o, ops.SetPassword, set, func(w io.Writer, a ops.Account) {
				fmt.Fprintf(w, "changed the password of %s\n", a.Login)
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
			change := ops.RoleChange{AccountName: login(args), Role: &role}
			return verb(c.Context(), o, ops.SetRole, change, func(w io.Writer, a ops.Account) {
				fmt.Fprintf(w, "%s is now %s\n", a.Login, a.Role)
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
			p := penalty(length, reason)
			if len(args) == 0 {
				b := ops.AddressBan{Prefix: address.Prefix, Ban: ops.Ban{Until: p.Until, Reason: p.Reason}}
				return verb(c.Context(), o, ops.BanAddress, b, func(w io.Writer, b ops.AddressBan) {
					fmt.Fprintf(w, "%s is %s\n", b.Prefix, banText(b.Ban))
				})
			}
			b := ops.AccountBan{AccountName: login(args), Penalty: p}
			return verb(c.Context(), o, ops.BanAccount, b, func(w io.Writer, a ops.Account) {
				fmt.Fprintf(w, "%s is %s\n", a.Login, banText(*a.Ban))
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
			if len(args) == 0 {
				b := ops.AddressBan{Prefix: address.Prefix}
				return verb(c.Context(), o, ops.UnbanAddress, b, func(w io.Writer, b ops.AddressBan) {
					fmt.Fprintf(w, "%s is no longer banned\n", b.Prefix)
				})
			}
			return verb(c.Context(), o, ops.UnbanAccount, login(args), func(w io.Writer, a ops.Account) {
				fmt.Fprintf(w, "%s is no longer banned\n", a.Login)
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
			m := ops.AccountMute{AccountName: login(args), Penalty: penalty(length, reason)}
			return verb(c.Context(), o, ops.MuteAccount, m, func(w io.Writer, a ops.Account) {
				end := "for ever"
				if !a.Mute.Until.IsZero() {
					end = "until " + when(a.Mute.Until)
				}
				fmt.Fprintf(w, "%s is mute %s\n", a.Login, end)
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
			return verb(c.Context(), o, ops.UnmuteAccount, login(args), func(w io.Writer, a ops.Account) {
				fmt.Fprintf(w, "%s may speak again\n", a.Login)
			})
		},
	}
}

func accountDelete(o *operatorCommand) *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use: "delete LOGIN", Short: "Delete an account with its characters and all they own", Args: expect(0, "a login"),
		RunE: func(c *cobra.Command, args []string) error {
			return o.connect(c.Context(), false, func(conn *admin.Conn) error {
				a, err := admin.Do(c.Context(), conn, ops.ShowAccount, login(args))
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
				return verbOn(c.Context(), o, conn, ops.DeleteAccount, login(args), func(w io.Writer, a ops.Account) {
					fmt.Fprintf(w, "deleted account %s\n", a.Login)
				})
			})
		},
	}
	c.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return c
}

func accountKick(o *operatorCommand) *cobra.Command {
	var reason string
	c := &cobra.Command{
		Use: "kick LOGIN", Short: "End the sessions of an account, which may come back", Args: expect(0, "a login"),
		RunE: func(c *cobra.Command, args []string) error {
			k := ops.Kick{AccountName: login(args), Reason: reason}
			return verb(c.Context(), o, ops.KickAccount, k, func(w io.Writer, a ops.Account) {
				fmt.Fprintf(w, "ended the sessions of %s\n", a.Login)
			})
		},
	}
	c.Flags().StringVar(&reason, "reason", "", "why; the player is told")
	return c
}

// login names the account of the first argument.
func login(args []string) ops.AccountName { return ops.AccountName{Login: args[0]} }

// penalty is what the flags of a ban or a mute ask for.
func penalty(length spanFlag, reason string) ops.Penalty {
	p := ops.Penalty{Reason: reason}
	if length > 0 {
		p.Until = time.Now().Add(time.Duration(length))
	}
	return p
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
