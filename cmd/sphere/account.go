package main

import (
	"context"
	"net/netip"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sphereserver/data"
	"sphereserver/server/admin"
	"sphereserver/server/ops"
)

// accountCommand is "sphere account" with all below it.
func accountCommand(env *environment) *cobra.Command {
	return env.withJSON(group("account", "Manage accounts and bans, whether the server runs or not",
		accountAdd(env), accountList(env), accountPasswd(env), accountRole(env), accountBan(env), accountUnban(env),
		accountMute(env), &cobra.Command{
			Use: "unmute LOGIN", Short: "Let an account speak again", Args: expect(0, "a login"),
			RunE: does(env, ops.UnmuteAccount, login, account("%s may speak again"))},
		accountKick(env), accountDelete(env), accountDoubts(env), accountShared(env)))
}

// login names the account of the first argument.
func login(args []string) ops.AccountName { return ops.AccountName{Login: args[0]} }

// account tells something of an account.
func account(format string) func(printer, ops.Account) {
	return func(w printer, a ops.Account) { w.line(format, a.Login) }
}

func accountAdd(env *environment) *cobra.Command {
	var password passwordFlags
	role := parsed[data.Role]{data.Player, "ROLE", data.ParseRole, data.Role.String}
	c := &cobra.Command{
		Use: "add LOGIN", Short: "Create an account", Args: expect(0, "a login"),
		Long: "Create an account. Without --password and --password-stdin the password is asked for.",
		RunE: func(c *cobra.Command, args []string) error {
			if err := data.CheckLogin(args[0]); err != nil {
				return err
			}
			p, err := password.read(c, env)
			if err != nil {
				return err
			}
			n := ops.NewAccount{Login: args[0], Password: p, Role: role.value}
			return verb(c.Context(), env, ops.AddAccount, n, func(w printer, a ops.Account) {
				w.line("added account %s (%s)", a.Login, roleName(a.Role))
			})
		},
	}
	password.add(c)
	c.Flags().Var(&role, "role", "player, helper, gamemaster or administrator")
	return c
}

func accountList(env *environment) *cobra.Command {
	var banned bool
	c := &cobra.Command{
		Use: "list [TEXT]", Short: "List accounts, those whose login contains TEXT", Args: expect(1, "a part of a login"),
		RunE: func(c *cobra.Command, args []string) error {
			like := ops.Search{Like: strings.Join(args, "")}
			if !banned {
				return verb(c.Context(), env, ops.ListAccounts, like, accountTable)
			}
			return reach(c.Context(), env, false, func(conn *admin.Conn) error {
				return listBanned(c.Context(), env, conn, like)
			})
		},
	}
	c.Flags().BoolVar(&banned, "banned", false, "list only who is banned or muted, and banned addresses")
	return c
}

// roleName is a role; in English as commands take it.
func roleName(r data.Role) ops.Text { return text(ops.RoleNames[r].Russian, r.String()) }

func accountTable(w printer, accounts []ops.Account) {
	table(w, w.words("LOGIN", "ROLE", "STATE", "CREATED", "LAST LOGIN", "FROM", "CHARACTERS"),
		each(accounts, func(a ops.Account) []string {
			return []string{a.Login, roleName(a.Role).In(w.russian), w.state(a), w.when(a.Created), w.when(a.LastLogin),
				a.LastAddress,
				strings.Join(a.Characters, ", ")}
		}))
}

// state reports whether an account is online, and its penalties.
func (w printer) state(a ops.Account) string {
	state := w.say("offline")
	switch {
	case a.Ban != nil:
		state = w.say("banned %s", until(*a.Ban))
	case a.Online:
		state = w.say("online")
	case !a.LockedUntil.IsZero():
		state = w.say("locked until %s", when(a.LockedUntil))
	}
	if a.Mute != nil {
		state += ", " + w.say("muted %s", until(*a.Mute))
	}
	return state
}

// until is when a ban or a mute ends.
func until(b ops.Ban) sentence {
	if b.Until.IsZero() {
		return sentence{"for ever", nil}
	}
	return sentence{"until %s", []any{when(b.Until)}}
}

func listBanned(ctx context.Context, env *environment, conn *admin.Conn, like ops.Search) error {
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
	w := env.answers()
	row := func(who, state string, b ops.Ban) {
		rows = append(rows, []string{who, state, ops.Author(b.By).In(w.russian), when(b.At), b.Reason})
	}
	for _, a := range accounts {
		if a.Ban != nil || a.Mute != nil {
			banned.Accounts = append(banned.Accounts, a)
		}
		if a.Ban != nil {
			row(a.Login, w.say("banned %s", until(*a.Ban)), *a.Ban)
		}
		if a.Mute != nil {
			row(a.Login, w.say("muted %s", until(*a.Mute)), *a.Mute)
		}
	}
	for _, a := range banned.Addresses {
		row(a.Prefix.String(), w.say("banned %s", until(a.Ban)), a.Ban)
	}
	return env.print(banned, func(w printer) { table(w, w.words("WHO", "STATE", "BY", "SINCE", "REASON"), rows) })
}

func accountPasswd(env *environment) *cobra.Command {
	var password passwordFlags
	c := &cobra.Command{
		Use: "passwd LOGIN", Short: "Change the password and end the sessions of an account", Args: expect(0, "a login"),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := password.read(c, env)
			if err != nil {
				return err
			}
			return verb(c.Context(), env, ops.SetPassword, ops.Password{AccountName: login(args), Password: p},
				account("changed the password of %s"))
		},
	}
	password.add(c)
	return c
}

func accountRole(env *environment) *cobra.Command {
	return &cobra.Command{
		Use: "role LOGIN ROLE", Short: "Make an account player, helper, gamemaster or administrator",
		Args: expect(0, "a login", "a role"),
		RunE: func(c *cobra.Command, args []string) error {
			role, err := data.ParseRole(args[1])
			if err != nil {
				return usagef(c, "%v", err)
			}
			change := ops.RoleChange{AccountName: login(args), Role: &role}
			return verb(c.Context(), env, ops.SetRole, change, func(w printer, a ops.Account) {
				w.line("%s is now %s", a.Login, roleName(a.Role))
			})
		},
	}
}

// addAddress gives a command the flag --address, which stands in the place of a login.
func addAddress(c *cobra.Command, address *parsed[netip.Prefix]) *cobra.Command {
	c.Flags().Var(address, "address", "an address or a network like 203.0.113.0/24")
	c.Args = func(c *cobra.Command, args []string) error {
		if !c.Flags().Changed("address") {
			return expect(0, "a login or --address")(c, args)
		}
		if len(args) > 0 {
			return usagef(c, "expected a login or --address, found both %q and %s", args[0], address.value)
		}
		return nil
	}
	return c
}

func accountBan(env *environment) *cobra.Command {
	address := parsed[netip.Prefix]{kind: "ADDRESS", read: data.ParsePrefix}
	var flags penaltyFlags
	wide := false
	c := &cobra.Command{
		Use: "ban LOGIN | --address ADDRESS", Short: "Keep an account or an address out",
		Long: "Keep an account or an address out, for ever unless --for says how long. The sessions of the account are " +
			"ended; who is in\nfrom the address stays until they leave.",
		RunE: func(c *cobra.Command, args []string) error {
			p := flags.penalty()
			if len(args) == 0 {
				b := ops.AddressPenalty{AddressName: ops.AddressName{Address: address.value.String()}, Penalty: p, Wide: wide}
				return verb(c.Context(), env, ops.BanAddress, b, func(w printer, b ops.AddressBan) {
					w.line("%s is banned %s", b.Prefix, until(b.Ban))
					w.line("accounts that have come from there last: %d", b.Accounts)
				})
			}
			b := ops.AccountBan{AccountName: login(args), Penalty: p}
			return verb(c.Context(), env, ops.BanAccount, b, func(w printer, a ops.Account) {
				w.line("%s is banned %s", a.Login, until(*a.Ban))
			})
		},
	}
	flags.add(c, "why; the player is told")
	c.Flags().BoolVar(&wide, "wide", false, "the network is meant to be as wide as a provider")
	return addAddress(c, &address)
}

func accountUnban(env *environment) *cobra.Command {
	address := parsed[netip.Prefix]{kind: "ADDRESS", read: data.ParsePrefix}
	return addAddress(&cobra.Command{
		Use: "unban LOGIN | --address ADDRESS", Short: "Let an account or an address in again",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				n := ops.AddressName{Address: address.value.String()}
				return verb(c.Context(), env, ops.UnbanAddress, n, func(w printer, b ops.AddressBan) {
					w.line("%s is no longer banned", b.Prefix)
				})
			}
			return verb(c.Context(), env, ops.UnbanAccount, login(args), account("%s is no longer banned"))
		},
	}, &address)
}

func accountMute(env *environment) *cobra.Command {
	var p penaltyFlags
	c := &cobra.Command{
		Use: "mute LOGIN", Short: "Keep an account from speaking", Args: expect(0, "a login"),
		Long: "Keep an account from speaking, for ever unless --for says how long. Who is in the world is told so.",
		RunE: does(env, ops.MuteAccount, func(args []string) ops.AccountMute {
			return ops.AccountMute{AccountName: login(args), Penalty: p.penalty()}
		}, func(w printer, a ops.Account) {
			w.line("%s is muted %s", a.Login, until(*a.Mute))
		}),
	}
	p.add(c, "why; the player is told")
	return c
}

func accountDelete(env *environment) *cobra.Command {
	var yes bool
	question := func(a ops.Account) sentence {
		if len(a.Characters) == 0 {
			return sentence{"Delete account %s, which has no characters?", []any{a.Login}}
		}
		return sentence{"Delete account %s with all that its characters own (%s)?",
			[]any{a.Login, strings.Join(a.Characters, ", ")}}
	}
	c := &cobra.Command{
		Use: "delete LOGIN", Short: "Delete an account with its characters and all they own", Args: expect(0, "a login"),
		RunE: deletes(env, &yes, ops.ShowAccount, question, ops.DeleteAccount, login, account("deleted account %s")),
	}
	c.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return c
}

func accountKick(env *environment) *cobra.Command {
	var reason string
	c := &cobra.Command{
		Use: "kick LOGIN", Short: "End the sessions of an account, which may come back", Args: expect(0, "a login"),
		RunE: does(env, ops.KickAccount, func(args []string) ops.Kick {
			return ops.Kick{AccountName: login(args), Reason: reason}
		}, account("ended the sessions of %s")),
	}
	c.Flags().StringVar(&reason, "reason", "", "why; the player is told")
	return c
}

// penaltyFlags are the flags of a ban or a mute.
type penaltyFlags struct {
	length span
	reason string
}

func (p *penaltyFlags) add(c *cobra.Command, reason string) {
	c.Flags().Var(&p.length, "for", "how long: 30m, 12h, 7d; for ever without it")
	c.Flags().StringVar(&p.reason, "reason", "", reason)
}

func (p *penaltyFlags) penalty() ops.Penalty {
	penalty := ops.Penalty{Reason: p.reason}
	if p.length > 0 {
		penalty.Until = time.Now().Add(time.Duration(p.length))
	}
	return penalty
}

// A parsed flag has a value that is read from its text and written again.
type parsed[T any] struct {
	value T
	kind  string // word in the help
	read  func(string) (T, error)
	write func(T) string // nil: there is no default
}

// String implements pflag.Value.
func (p *parsed[T]) String() string {
	if p.write == nil {
		return ""
	}
	return p.write(p.value)
}

// Type implements pflag.Value.
func (p *parsed[T]) Type() string { return p.kind }

// Set implements pflag.Value.
func (p *parsed[T]) Set(text string) (err error) {
	p.value, err = p.read(text)
	return err
}
