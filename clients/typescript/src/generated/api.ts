// The types of Larder's OpenAPI document. clients/record writes this file.

export interface paths {
    "/livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Says whether the process is alive; asks no store
         * @description Needs no token.
         */
        get: operations["get_livez"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Says the same as /livez */
        get: operations["get_healthz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Says whether the server can work: Redis takes writes, SQL answers, the clock is right, no event or schedule waits for too long, and the server is not shutting down */
        get: operations["get_readyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows the metrics, for Prometheus
         * @description Needs no token, but only from this machine, unless metrics_public is set.
         */
        get: operations["get_metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows this document */
        get: operations["get_openapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows this document as a web page */
        get: operations["get_docs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sends events as they happen (server-sent events)
         * @description Each event has an id, the name <system>.<type>, and the data {system, type, user_id (or null), at, data}. Each system defines the inner data. If the inner data has a detail, all values in detail are strings: numbers are decimal digits, and times are milliseconds since 1970. A caller sees the systems for which its token has the scope. Without Last-Event-ID the stream begins now. With Last-Event-ID it continues after that event. If the server no longer has all events since then, it first sends an event named gap: {after, next}. Each filter takes several values, separated by commas. Needs any token.
         */
        get: operations["get_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates a player's account and begins a session
         * @description An address may register 300 times in an hour. If the answer was lost, log in: the account exists if the login succeeds. Needs no token.
         */
        post: operations["register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begins a session of 48 hours
         * @description An unknown name and a wrong password get the same answer. In 10 minutes, 10 attempts may fail for a name and 100 from an address. Needs no token.
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends the session of the token; every server refuses the token within a second
         * @description Needs a player token, or a service key with the scope tribes and ?player=<user id>.
         */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/logout-everywhere": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends every session of the account */
        post: operations["logout_everywhere"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tells a web page who is logged in
         * @description Without a valid player token, the user is null. Needs no token.
         */
        get: operations["get_session"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the player's account */
        get: operations["get_me"];
        put?: never;
        post?: never;
        /**
         * Deletes the account; the player's towns become ruins
         * @description The name is free again at once, and every session ends. In SQL, events of the tribes, standings and the hall of fame keep the name. Needs a player token, or a service key with the scope tribes and ?player=<user id>.
         */
        delete: operations["delete_account"];
        options?: never;
        head?: never;
        /**
         * Changes the password, ends every session, and begins a new one
         * @description If the answer was lost, log in with the new password. Needs a player token, or a service key with the scope tribes and ?player=<user id>.
         */
        patch: operations["change_password"];
        trace?: never;
    };
    "/v1/ledger/types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the score types */
        get: operations["list_types"];
        put?: never;
        /**
         * Creates a score type
         * @description Needs a service key with the scope ledger.
         */
        post: operations["create_type"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/types/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a score type */
        get: operations["get_type"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Changes a score type
         * @description Absent fields stay as they are; null removes a time. An end in the past is taken as now. A new end is accepted until 23 hours after the old one; later the points are gone, and the change is refused with type_over. Needs a service key with the scope ledger.
         */
        patch: operations["change_type"];
        trace?: never;
    };
    "/v1/ledger/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Issues an order id that was never issued before */
        post: operations["issue_order"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Adds, deducts or resets points
         * @description The same order with the same parameters gets the same answer for the order_ttl_days of its type (7 by default), with replayed: true. A refusal for lack of points is remembered, too. Needs a service key with the scope ledger.
         */
        post: operations["post_entry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/entries/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Posts up to 1000 entries
         * @description continue: each entry is decided on its own. The answer has one result per entry, in their order; a refused entry has its code as status. atomic: all entries or none, for one user or for users that share a slot (on one Redis all users do). A refused batch leaves no trace; batch_refused has the index of the refused entry and the reason. If the same batch is sent again, each entry is replayed. Needs a service key with the scope ledger.
         */
        post: operations["post_batch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/accounts/{type}/{domain}/{uid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows what a user can spend now */
        get: operations["get_account"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/accounts/{type}/{domain}/{uid}/at": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the balance at a past moment */
        get: operations["get_account_at"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/orders/{uid}/{order_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows how an order was decided */
        get: operations["get_order"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/transfers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Moves points from one user to another
         * @description The points keep their expiry. The answer is 202 with state pending if the points have left but have not arrived yet. They will arrive or come back; send the same order again to learn which. Needs a service key with the scope ledger.
         */
        post: operations["post_transfer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/rates/{from_type}/{to_type}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows what points of one type are worth in another */
        get: operations["get_rate"];
        /** Sets what points of one type are worth in another */
        put: operations["set_rate"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/rates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the rates, sorted by from_type and then by to_type */
        get: operations["list_rates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/exchanges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchanges a user's points for points of another type
         * @description The exchange uses the current rate and rounds down. The new points do not expire. Needs a service key with the scope ledger.
         */
        post: operations["post_exchange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/holds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Puts points on hold
         * @description The points are out of the balance until they are captured or released, or until the hold expires. Needs a service key with the scope ledger.
         */
        post: operations["post_hold"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/holds/{uid}/{order_id}/capture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Takes all or part of a hold and gives the rest back
         * @description The same request again gets the same answer, with replayed: true. Needs a service key with the scope ledger.
         */
        post: operations["capture_hold"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/holds/{uid}/{order_id}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Gives a hold back */
        post: operations["release_hold"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/users/{uid}/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the accounts of a user by type and domain, as they are now */
        get: operations["list_accounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/users/{uid}/holds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the open holds of a user, by type, domain and order
         * @description A page may have fewer items than asked for, even none, although more follow: go on until next_cursor is null. Needs a service key with the scope ledger.
         */
        get: operations["list_holds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/users/{uid}/transfers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the transfers that a user has sent and that are still under way */
        get: operations["list_pending_transfers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/flows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists a user's flows, newest first
         * @description Each flow describes one change. The state of a hold or a transfer is in its order. Needs a service key with the scope ledger.
         */
        get: operations["list_flows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/journal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the flows of all users, newest first
         * @description In the order in which they were recorded: `from` and `to` mean that time, which is the first part of the id. A step that an account takes by itself is dated (`at`) at the moment when it fell due, so it may be recorded later. The newest flows may appear up to some seconds late. With a filter, a page may have fewer items than asked for, even none, although more follow: go on until next_cursor is null. Needs a service key with the scope ledger.
         */
        get: operations["list_journal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/totals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows how many points of each type all users have together
         * @description Counted from the journal: exact for the moment `at`, which is a few minutes ago. It is older while the journal lags behind, and while a server counts a large journal for the first time. A sum above 9007199254740991 is shown as that number. A type that is over has no points. Needs a service key with the scope ledger.
         */
        get: operations["get_totals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/economy/{realm}/players/{id}/farm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Farms: the player gains points, may find an item and may meet a vampire; or a pending bomb goes off
         * @description Needs a service key with the scope economy.
         */
        post: operations["farm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/economy/{realm}/players/{id}/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Gives points to another player */
        post: operations["pay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/economy/{realm}/players/{id}/rewards/{reward}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Claims a reward, which is possible once per interval */
        post: operations["claim_reward"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/economy/{realm}/players/{id}/gamble": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Gambles: the player wins a part of an amount, or loses the amount */
        post: operations["gamble"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/economy/{realm}/players/{id}/discombobulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Burns points of another player, at the price of an offer */
        post: operations["discombobulate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/economy/{realm}/players/{id}/trade": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Gives items to another player */
        post: operations["trade"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/economy/{realm}/players/{id}/sell": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sells items to the bank, if the catalogue says what it pays for them */
        post: operations["sell"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/economy/{realm}/players/{id}/craft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes an item out of points and other items */
        post: operations["craft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/economy/{realm}/players/{id}/use": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Uses up an item */
        post: operations["use_item"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/economy/{realm}/players/{id}/bomb": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Plants a bomb; once it is pending, it goes off on the player who farms next */
        post: operations["plant_bomb"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/economy/{realm}/players/{id}/inspect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Shows a player's inventory, for a fee */
        post: operations["inspect"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/economy/{realm}/roulettes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Loads a roulette */
        post: operations["start_roulette"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/economy/{realm}/roulettes/{id}/shots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pulls the trigger of a roulette; the shot that hits takes all points */
        post: operations["shoot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/economy/{realm}/players/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows everything about a player, all of one moment */
        get: operations["get_player"];
        put?: never;
        post?: never;
        /**
         * Deletes a player's points, items, name and everything else but the history
         * @description Needs a service key with the scope admin.
         */
        delete: operations["delete_player"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/economy/{realm}/leaderboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the players by their points */
        get: operations["get_leaderboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/economy/{realm}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the catalogue of the realm */
        get: operations["get_items"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/economy/{realm}/players/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists what happened to a player, newest first */
        get: operations["get_player_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/economy/{realm}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists what happened in a realm, newest first */
        get: operations["get_economy_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/economy/{realm}/players": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the players of a realm by id, or those with the beginning of a name, by name
         * @description Everybody who has an event is a player. Needs a service key with the scope economy.
         */
        get: operations["list_players"];
        put?: never;
        /**
         * Imports players with their points, items and names
         * @description The body is one player, or an array of up to 1000, or one player per line, up to 100000. A player that cannot be imported fails alone. Each player is imported once, so a request may simply be repeated: it continues where it was cut off. Needs a service key with the scope admin.
         */
        post: operations["import_players"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/economy/{realm}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Creates a realm, if it does not exist; the first move that succeeds does so, too */
        put: operations["create_realm"];
        post?: never;
        /** Closes a realm at once, then deletes all its players and events */
        delete: operations["delete_realm"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/economy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the realms by name */
        get: operations["list_realms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/economy/{realm}/players/{id}/adjust": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Gives or takes points and items, sets or ends effects, and renames: all at once, with a reason */
        post: operations["adjust_player"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/economy/{realm}/players/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows everything that is kept about a player */
        get: operations["export_player"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists messages, oldest first */
        get: operations["list_messages"];
        put?: never;
        /**
         * Creates a message for a user
         * @description Needs a service key with the scope messages.
         */
        post: operations["create_message"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a message */
        get: operations["get_message"];
        put?: never;
        post?: never;
        /** Deletes a message, its place in the history and its tokens */
        delete: operations["delete_message"];
        options?: never;
        head?: never;
        /**
         * Changes a message
         * @description Absent fields stay as they are. An inactive message keeps its place in the history and its remaining tokens. Needs a service key with the scope messages.
         */
        patch: operations["change_message"];
        trace?: never;
    };
    "/v1/messages/select": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Selects the message to send to a user now, and counts it as sent
         * @description Only active messages that their rule allows now are considered. If some of them were never sent, one of those is drawn; otherwise the least recently sent one is selected. If there is none, the message is null, and the answer has the earliest moment when there will be one. Needs a service key with the scope messages.
         */
        post: operations["select_message"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/users/{user_id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists when each message was last sent to a user, newest first */
        get: operations["get_message_history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tribes/worlds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the worlds
         * @description Needs a player token, or a service key with the scope tribes.
         */
        get: operations["list_worlds"];
        put?: never;
        /** Creates a world */
        post: operations["create_world"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tribes/worlds/{world}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a world */
        get: operations["get_world"];
        put?: never;
        post?: never;
        /** Deletes a world with all its towns; its events stay in the journal */
        delete: operations["delete_world"];
        options?: never;
        head?: never;
        /** Changes the speed or the rules of a world, closes it, or lets it run again */
        patch: operations["change_world"];
        trace?: never;
    };
    "/v1/tribes/worlds/{world}/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the rules in use: buildings, educations, costs, times and speed */
        get: operations["get_rules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tribes/worlds/{world}/join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Founds the player's town in a world */
        post: operations["join_world"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tribes/worlds/{world}/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the player's town as it is now */
        get: operations["get_town"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tribes/worlds/{world}/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Does something in the player's town */
        post: operations["act"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tribes/worlds/{world}/ws": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A WebSocket that shows the player's town live and takes actions
         * @description The server sends {"type": "state"} first and then patches (RFC 7396), reports, the leaderboard and news of the world. A message to the server is an action with an `id`, which its response repeats. A message that is sent again with the same `id` is not done again. Needs a player token, or a service key with the scope tribes and ?player=<user id>.
         */
        get: operations["watch_town"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tribes/worlds/{world}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows how the player's coins or pizzas changed, for the last week */
        get: operations["get_history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tribes/worlds/{world}/leaderboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the players of a world by their coins */
        get: operations["get_tribes_leaderboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tribes/worlds/{world}/map": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the towns around a field */
        get: operations["get_map"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tribes/worlds/{world}/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the player's reports of heists, newest first, for 30 days */
        get: operations["list_reports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tribes/worlds/{world}/reports/{id}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Marks a report as read */
        post: operations["read_report"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tribes/hall-of-fame": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists who won which world, newest first */
        get: operations["list_fame"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tribes/worlds/{world}/players": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the players of a world, in no particular order
         * @description A page may have fewer items than asked for, even none, although more follow: go on until next_cursor is null. Whoever is in the world all the time is listed; while others join, a player may be listed twice. Needs a service key with the scope tribes.
         */
        get: operations["list_world_players"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/discord/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Applies events of Discord's gateway to the cache, in their order
         * @description The body is one dispatch, or an array of up to 1000, or one dispatch per line. A malformed dispatch fails alone. Applying events again gives the same result, so a request may simply be repeated. Needs a service key with the scope discord.
         */
        post: operations["post_discord_events"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/discord/guilds/{guild_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows a guild
         * @description Needs a service key with the scope discord.
         */
        get: operations["get_discord_guild"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/discord/guilds/{guild_id}/welcome-screen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the welcome screen of a guild */
        get: operations["get_discord_welcome_screen"];
        /**
         * Stores the welcome screen of a guild
         * @description The body is the object in the form of Discord's API. Needs a service key with the scope discord.
         */
        put: operations["put_discord_welcome_screen"];
        post?: never;
        /** Removes the welcome screen of a guild from the cache */
        delete: operations["delete_discord_welcome_screen"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/discord/guilds/{guild_id}/widget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the widget of a guild */
        get: operations["get_discord_widget"];
        /** Stores the widget of a guild */
        put: operations["put_discord_widget"];
        post?: never;
        /** Removes the widget of a guild from the cache */
        delete: operations["delete_discord_widget"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/discord/guilds/{guild_id}/{collection}/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows an object of a guild, such as a member or a role */
        get: operations["get_discord_guild_object"];
        /** Stores a ban, a template or a webhook of a guild */
        put: operations["put_discord_guild_object"];
        post?: never;
        /** Removes a ban, a template or a webhook of a guild from the cache */
        delete: operations["delete_discord_guild_object"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/discord/users/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a user */
        get: operations["get_discord_user"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/discord/channels/{channel_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a channel of any guild, or of direct messages */
        get: operations["get_discord_channel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/discord/threads/{thread_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a thread */
        get: operations["get_discord_thread"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/discord/threads/{thread_id}/members/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a member of a thread */
        get: operations["get_discord_thread_member"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/discord/messages/{message_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_discord_message"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/discord/invites/{code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows an invite */
        get: operations["get_discord_invite"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/discord/webhooks/{webhook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a webhook */
        get: operations["get_discord_webhook"];
        /** Stores a webhook */
        put: operations["put_discord_webhook"];
        post?: never;
        /** Removes a webhook from the cache */
        delete: operations["delete_discord_webhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/discord/interactions/{interaction_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows an interaction, without its token */
        get: operations["get_discord_interaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/discord/applications/{application_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows an application */
        get: operations["get_discord_application"];
        /** Stores an application */
        put: operations["put_discord_application"];
        post?: never;
        /** Removes an application from the cache */
        delete: operations["delete_discord_application"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/discord/commands/{application_id}/{command_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a command of an application */
        get: operations["get_discord_command"];
        /** Stores a command of an application */
        put: operations["put_discord_command"];
        post?: never;
        /** Removes a command of an application from the cache */
        delete: operations["delete_discord_command"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/discord/guilds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the guilds of the bot */
        get: operations["list_discord_guilds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/discord/guilds/{guild_id}/{collection}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the objects of a guild, such as its members or roles */
        get: operations["list_discord_guild_objects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/discord/users/{user_id}/guilds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the guilds that a user shares with the bot */
        get: operations["list_discord_user_guilds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/discord/channels/{channel_id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the messages of a channel or a thread, newest first */
        get: operations["list_discord_channel_messages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/discord/threads/{thread_id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the members of a thread */
        get: operations["list_discord_thread_members"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/discord/messages/{message_id}/reactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the emojis with which users have reacted to a message */
        get: operations["list_discord_reactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/discord/messages/{message_id}/reactions/{emoji}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the users who have reacted with an emoji */
        get: operations["list_discord_reaction_users"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/discord/commands/{application_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the commands of an application */
        get: operations["list_discord_commands"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/discord/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Shows many objects at once */
        post: operations["lookup_discord_objects"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/discord/guilds/{guild_id}/members/{user_id}/permissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Computes what a member may do in a guild or a channel */
        get: operations["get_discord_permissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/discord/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts what the cache has
         * @description Counting walks through all keys. A count is used again for ten times as long as it has taken. Needs a service key with the scope discord.
         */
        get: operations["get_discord_stats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/discord/cache": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes every key of a version of the cache */
        delete: operations["purge_discord_cache"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the webhooks by the time of their creation */
        get: operations["list_webhooks"];
        put?: never;
        /**
         * Sends events to a URL from now on
         * @description Each event is sent at least once as a POST, signed with the secret, and the events of a user in their order. The host must have public addresses only, unless the setting webhooks.allow names it. Needs a service key with the scope admin.
         */
        post: operations["create_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a webhook without its secret */
        get: operations["get_webhook"];
        put?: never;
        post?: never;
        /** Deletes a webhook and its deliveries */
        delete: operations["delete_webhook"];
        options?: never;
        head?: never;
        /**
         * Changes where a webhook sends its events, and which
         * @description Absent fields stay as they are; null removes a filter. The secret stays. Deliveries that wait are tried again at once, at the new URL. Needs a service key with the scope admin.
         */
        patch: operations["change_webhook"];
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the deliveries of a webhook, newest first
         * @description All that wait, those that died within 30 days, and the newest 1000 that were made. Needs a service key with the scope admin.
         */
        get: operations["list_deliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{n}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes a delivery again, or at once if it waits */
        post: operations["replay_delivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the service keys by the time of their creation, also revoked ones */
        get: operations["list_keys"];
        put?: never;
        /**
         * Creates a service key and shows its token, once
         * @description If the answer is lost, revoke the key and create another one. Every server knows the new token at its first use. Needs a service key with the scope admin.
         */
        post: operations["create_key"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a service key without its token */
        get: operations["get_key"];
        put?: never;
        post?: never;
        /**
         * Revokes a service key for good; it stays in the list
         * @description This server refuses its tokens at once, all others within ten seconds. Needs a service key with the scope admin.
         */
        delete: operations["revoke_key"];
        options?: never;
        head?: never;
        /**
         * Changes what a service key may do; its token stays
         * @description Absent fields stay as they are. This server obeys the change at once, all others within ten seconds. Needs a service key with the scope admin.
         */
        patch: operations["change_key"];
        trace?: never;
    };
    "/v1/admin/keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Makes a new token for a service key and shows it, once; older ones go on for a while
         * @description If the answer is lost, rotate the key again: whoever has an older token goes on meanwhile. Needs a service key with the scope admin.
         */
        post: operations["rotate_key"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows the last hour of this server in numbers, and its health in words
         * @description Each server keeps its own samples in memory, and a new server has none. Also answers while Redis or SQL is unavailable. Needs a service key with the scope admin.
         */
        get: operations["get_stats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the due sets of all systems, by schedule and place */
        get: operations["list_jobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/jobs/{set}/dead": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the dead members of a due set with the reasons, longest dead first */
        get: operations["list_dead_members"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/jobs/{set}/dead/{member}/requeue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lets a dead member be tried again, with all its attempts */
        post: operations["requeue_dead_member"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/jobs/{set}/dead/{member}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Forgets a dead member for good: nobody does its work */
        delete: operations["drop_dead_member"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the settings that this server uses; passwords in URLs are hidden */
        get: operations["get_settings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Finds users, players, orders, guilds, channels and messages by id, and users and players by the beginning of their name
         * @description The case of letters does not matter; in the names of players of the economy, the case of A to Z. At most 20 hits of each kind from each system, and at most 100 worlds are searched. What was written in the last seconds may be missing. Needs a service key with the scope admin.
         */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/users/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everything that all systems have about a user
         * @description Reads the whole Discord cache and all messages, so it may take a while. An answer has at most 32 MiB. Needs a service key with the scope admin.
         */
        get: operations["export_user"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/users/{id}/forget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How far the newest job is that forgets this user */
        get: operations["get_forget"];
        put?: never;
        /**
         * Forgets a user in all systems, in the background
         * @description Journals and events keep a pseudonym, so that sums stay as they are. What the user does from now on belongs to somebody new. The job survives every crash; asking again while it runs answers the same job. Needs a service key with the scope admin.
         */
        post: operations["forget_user"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the start page */
        get: operations["get_start_page"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/play": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the game of tribes */
        get: operations["get_game_page"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/icon.svg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the icon of the web pages */
        get: operations["get_icon"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assets/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sends a script or style sheet of the web pages
         * @description The names contain a hash of the content, so browsers keep these files for good. Needs no token.
         */
        get: operations["get_asset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        UserId: string;
        Domain: string;
        OrderId: string;
        Amount: number;
        PositiveAmount: number;
        /**
         * Format: date-time
         * @example 2026-01-31T12:00:00.000Z
         */
        Time: string;
        Problem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            code: string;
            field?: string;
            request_id: string;
            retry_after_s?: number;
            outcome_unknown?: boolean;
            checks?: {
                [key: string]: string;
            };
            problems?: {
                [key: string]: string;
            };
            balance?: components["schemas"]["Amount"];
            fields?: string[];
            index?: components["schemas"]["Amount"];
            order_id?: string;
            reason?: string;
            key?: string;
            original?: {
                op: string;
                status: string;
                amount: components["schemas"]["Amount"];
                old_balance: components["schemas"]["Amount"];
                balance: components["schemas"]["Amount"];
            };
            state?: string;
            returned_by?: string;
            id?: number;
            needs?: {
                [key: string]: components["schemas"]["Amount"];
            } | components["schemas"]["Amount"];
            owned?: components["schemas"]["Amount"];
            max_stack?: components["schemas"]["Amount"];
            item?: string;
            seconds_left?: components["schemas"]["Amount"];
            minimum?: components["schemas"]["Amount"];
        };
        Session: {
            user_id: components["schemas"]["UserId"];
            username: string;
            token: string;
            expires_at: components["schemas"]["Time"];
        };
        User: {
            user_id: components["schemas"]["UserId"];
            username: string;
        };
        PlayerAccount: {
            user_id: components["schemas"]["UserId"];
            username: string;
            created_at: components["schemas"]["Time"];
        };
        ScoreType: {
            id: number;
            name: string;
            starts_at: components["schemas"]["Time"] | null;
            ends_at: components["schemas"]["Time"] | null;
            order_ttl_days: number;
            order_age_days_max: number;
            remark: string;
            created_at: components["schemas"]["Time"];
        };
        Receipt: {
            order_id: components["schemas"]["OrderId"];
            /** @enum {string} */
            op: "add" | "deduct" | "reset" | "transfer_out" | "transfer_in" | "transfer_done" | "transfer_return" | "exchange_out" | "exchange_in" | "hold" | "capture" | "release" | "mature" | "expire" | "opening" | "forgotten";
            /** @enum {string} */
            status: "ok";
            old_balance: components["schemas"]["Amount"];
            change: number;
            balance: components["schemas"]["Amount"];
            replayed: boolean;
        };
        Lot: {
            amount: components["schemas"]["PositiveAmount"];
            effective_at: components["schemas"]["Time"] | null;
            expires_at: components["schemas"]["Time"] | null;
        };
        Hold: {
            order_id: components["schemas"]["OrderId"];
            amount: components["schemas"]["PositiveAmount"];
            expires_at: components["schemas"]["Time"] | null;
        };
        Account: {
            type: number;
            domain: components["schemas"]["Domain"];
            uid: components["schemas"]["UserId"];
            balance: components["schemas"]["Amount"];
            held: components["schemas"]["Amount"];
            pending: components["schemas"]["Amount"];
            lots: components["schemas"]["Lot"][];
            holds: components["schemas"]["Hold"][];
        };
        Order: {
            order_id: components["schemas"]["OrderId"];
            /** @enum {string} */
            op: "add" | "deduct" | "reset" | "transfer_out" | "transfer_in" | "transfer_done" | "transfer_return" | "exchange_out" | "exchange_in" | "hold" | "capture" | "release" | "mature" | "expire" | "opening" | "forgotten";
            /** @enum {string} */
            status: "ok" | "insufficient_balance" | "balance_limit" | "type_not_active" | "transfer_withdrawn";
            old_balance: components["schemas"]["Amount"];
            change: number;
            balance: components["schemas"]["Amount"];
            type: number;
            domain: components["schemas"]["Domain"];
            uid: components["schemas"]["UserId"];
            amount: components["schemas"]["Amount"];
            at: components["schemas"]["Time"];
            effective_at?: components["schemas"]["Time"];
            expires_at?: components["schemas"]["Time"];
            to?: string;
            from?: string;
            to_balance?: number;
            to_type?: number;
            from_type?: number;
            credited?: number;
            state?: string;
            captured?: number;
            return_of?: string;
            returned_by?: string;
            why?: string;
        };
        Rate: {
            from_type: number;
            to_type: number;
            numerator: number;
            denominator: number;
        };
        ClosedHold: {
            order_id: components["schemas"]["OrderId"];
            uid: components["schemas"]["UserId"];
            type: number;
            domain: components["schemas"]["Domain"];
            amount: components["schemas"]["Amount"];
            /** @enum {string} */
            state: "captured" | "released" | "expired";
            captured: components["schemas"]["Amount"];
            released: components["schemas"]["Amount"];
            balance: components["schemas"]["Amount"] | null;
            replayed: boolean;
        };
        Flow: {
            order_id: components["schemas"]["OrderId"];
            /** @enum {string} */
            op: "add" | "deduct" | "reset" | "transfer_out" | "transfer_in" | "transfer_done" | "transfer_return" | "exchange_out" | "exchange_in" | "hold" | "capture" | "release" | "mature" | "expire" | "opening" | "forgotten";
            /** @enum {string} */
            status: "ok" | "insufficient_balance" | "balance_limit" | "type_not_active" | "transfer_withdrawn";
            old_balance: components["schemas"]["Amount"];
            change: number;
            balance: components["schemas"]["Amount"];
            id: string;
            type: number;
            domain: components["schemas"]["Domain"];
            amount: components["schemas"]["Amount"];
            remark: string;
            at: components["schemas"]["Time"];
            effective_at?: components["schemas"]["Time"];
            expires_at?: components["schemas"]["Time"];
            to?: string;
            from?: string;
            to_balance?: number;
            to_type?: number;
            from_type?: number;
            credited?: number;
            captured?: number;
            return_of?: string;
            returned_by?: string;
            why?: string;
        };
        RecordedFlow: {
            order_id: components["schemas"]["OrderId"];
            /** @enum {string} */
            op: "add" | "deduct" | "reset" | "transfer_out" | "transfer_in" | "transfer_done" | "transfer_return" | "exchange_out" | "exchange_in" | "hold" | "capture" | "release" | "mature" | "expire" | "opening" | "forgotten";
            /** @enum {string} */
            status: "ok" | "insufficient_balance" | "balance_limit" | "type_not_active" | "transfer_withdrawn";
            old_balance: components["schemas"]["Amount"];
            change: number;
            balance: components["schemas"]["Amount"];
            id: string;
            type: number;
            domain: components["schemas"]["Domain"];
            amount: components["schemas"]["Amount"];
            remark: string;
            at: components["schemas"]["Time"];
            effective_at?: components["schemas"]["Time"];
            expires_at?: components["schemas"]["Time"];
            to?: string;
            from?: string;
            to_balance?: number;
            to_type?: number;
            from_type?: number;
            credited?: number;
            captured?: number;
            return_of?: string;
            returned_by?: string;
            why?: string;
            uid: components["schemas"]["UserId"];
        };
        Roll: {
            seed: number;
            values: number[];
        };
        Effect: {
            /** @enum {string} */
            name: "gain" | "discombobulate" | "vampire";
            value: components["schemas"]["Amount"];
            seconds_left: components["schemas"]["Amount"];
        };
        Player: {
            id: components["schemas"]["UserId"];
            name: string | null;
            balance: components["schemas"]["Amount"];
            rank: number | null;
            inventory: {
                [key: string]: components["schemas"]["Amount"];
            };
            effects: components["schemas"]["Effect"][];
            cooldowns: {
                [key: string]: components["schemas"]["Amount"];
            };
            vampire_level: number;
        };
        Standing: {
            rank: number;
            id: string;
            name: string | null;
            balance: components["schemas"]["Amount"];
        };
        Item: {
            id: string;
            names: string[];
            max_stack: number;
            tradable: boolean;
            drop: components["schemas"]["Amount"];
            craft: {
                item: string;
                amount: components["schemas"]["PositiveAmount"];
                points: boolean;
            }[];
            sell?: components["schemas"]["PositiveAmount"];
            use: {
                /** @enum {string} */
                kind: "none" | "clear_vampire" | "bomb" | "guard";
            } | {
                /** @enum {string} */
                kind: "lower_vampire";
                levels: components["schemas"]["PositiveAmount"];
            } | {
                /** @enum {string} */
                kind: "effect";
                /** @enum {string} */
                effect: "gain" | "discombobulate" | "vampire";
                by: components["schemas"]["Amount"];
                seconds: components["schemas"]["Amount"];
                stacks: boolean;
                /** @enum {string} */
                on: "self" | "target";
            } | {
                /** @enum {string} */
                kind: "radar";
                count: components["schemas"]["PositiveAmount"];
            };
        };
        Catalogue: {
            version: string;
            currency: string;
            items: components["schemas"]["Item"][];
            rewards: {
                name: string;
                points: components["schemas"]["Amount"];
                every_s: number;
                time_zone?: string;
            }[];
        };
        EconomyEvent: {
            id: string;
            version: number;
            type: string;
            user_id: string;
            guild_id: string;
            at: components["schemas"]["Time"];
            amount?: number;
            item?: string;
            quantity?: number;
            payer_id?: string;
            payee_id?: string;
            trader_id?: string;
            tradee_id?: string;
            source_id?: string;
            target_id?: string;
            owner_id?: string;
            reward?: string;
            level?: string;
            roulette_id?: string;
            reason?: string;
            crafted?: string;
            trigger?: string;
            trigger_id?: string;
        };
        ListedPlayer: {
            id: components["schemas"]["UserId"];
            name: string | null;
            balance: components["schemas"]["Amount"];
        };
        NewPlayer: {
            id: components["schemas"]["UserId"];
            points?: number;
            items?: {
                [key: string]: components["schemas"]["PositiveAmount"];
            };
            name?: string;
        };
        ImportedPlayers: {
            imported: number;
            unchanged: number;
            failures: number;
            failed: {
                index: number;
                code: string;
                detail: string;
                field?: string;
            }[];
        };
        PlayerExport: {
            realm: string;
            player: components["schemas"]["Player"];
            imported: boolean;
            bomb_due_at: components["schemas"]["Time"] | null;
            bomb_pending: boolean;
            events: components["schemas"]["EconomyEvent"][];
            events_cursor: string | null;
        };
        Message: {
            id: string;
            text: string;
            author_id: components["schemas"]["UserId"];
            target_id: components["schemas"]["UserId"];
            active: boolean;
            rule: {
                tokens: number;
                seconds: number;
                /** @enum {string} */
                refill?: "interval" | "continuous";
            };
            created_at: components["schemas"]["Time"];
            changed_at: components["schemas"]["Time"];
        };
        World: {
            id: string;
            /** @enum {string} */
            state: "running" | "won" | "closed";
            speed: number;
            players: number;
            started_at: components["schemas"]["Time"];
            clock: {
                at: components["schemas"]["Time"];
                game_ms: number;
            };
            winner: components["schemas"]["UserId"] | null;
            winner_name: string | null;
            joined?: boolean;
        };
        TribesRules: {
            goal_coins: number;
            start_coins: number;
            buildings: {
                kitchen: {
                    first: {
                        cost: number;
                        seconds: number;
                    };
                    levels: {
                        cost: number;
                        seconds: number;
                        capacity: number;
                    }[];
                };
                shop: {
                    first: {
                        cost: number;
                        seconds: number;
                    };
                    levels: {
                        cost: number;
                        seconds: number;
                        capacity: number;
                    }[];
                };
                house: {
                    first: {
                        cost: number;
                        seconds: number;
                    };
                    levels: {
                        cost: number;
                        seconds: number;
                        capacity: number;
                    }[];
                };
                school: {
                    first: {
                        cost: number;
                        seconds: number;
                    };
                    levels: {
                        cost: number;
                        seconds: number;
                    }[];
                };
            };
            educations: {
                chef: {
                    cost: number;
                    seconds: number;
                    /** @enum {string} */
                    workplace: "kitchen" | "shop";
                };
                salesmouse: {
                    cost: number;
                    seconds: number;
                    /** @enum {string} */
                    workplace: "kitchen" | "shop";
                };
                guard: {
                    cost: number;
                    seconds: number;
                };
                thief: {
                    cost: number;
                    seconds: number;
                };
            };
            mouse_clock: {
                speed: number;
                rush_hours: {
                    from: number;
                    to: number;
                }[];
            };
            razing: {
                cost_percent: number;
                time_percent: number;
            };
            queues: {
                constructions_max: number;
                trainings_max: number;
                travels_max: number;
                arrivals_max: number;
                begun_refund_percent: number;
            };
            production: {
                chef_rate: number;
                salesmouse_rate: number;
                demand_rate: number;
                rush_demand_rate: number;
                pizza_price: number;
            };
            taps: {
                pizzas: number;
                coins: number;
                every_s: number;
            };
            world: {
                size: number;
                zone_size: number;
                towns_per_zone_max: number;
            };
            heists: {
                travel_ms_per_field: number;
                thief_strength: number;
                loot_per_thief: number;
            };
            updates: {
                every_s: number;
                watched_every_s: number;
            };
        };
        WorldRules: {
            speed: number;
            rules: components["schemas"]["TribesRules"];
        };
        Town: {
            resources: {
                coins: number;
                pizzas: number;
            };
            lots: {
                [key: string]: {
                    building: number;
                    level: number;
                    tappedAt?: number;
                };
            };
            population: {
                uneducated: number;
                chefs: number;
                salesmice: number;
                guards: number;
                thieves: number;
            };
            timestamp: number;
            trainingQueue: {
                completeAt: number;
                education: number;
                amount: number;
            }[];
            constructionQueue: {
                completeAt: number;
                /** @enum {string} */
                lotId: "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "10";
                building: number;
                level: number;
                razing: boolean;
            }[];
            townX: number;
            townY: number;
            travelQueue: {
                arrivalAt: number;
                destinationX: number;
                destinationY: number;
                returning: boolean;
                thieves: number;
                coins: number;
            }[];
        };
        Point: {
            at: components["schemas"]["Time"];
            avg: number;
            min: number;
            max: number;
            last: number;
            count: number;
        };
        RankedTown: {
            rank: number;
            user_id: components["schemas"]["UserId"];
            username: string | null;
            coins: number;
            x: number;
            y: number;
        };
        MapTown: {
            x: number;
            y: number;
            user_id: components["schemas"]["UserId"];
            username: string | null;
        };
        HeistReport: {
            id: string;
            at: components["schemas"]["Time"];
            read: boolean;
            /** @enum {string} */
            side: "attacker" | "target";
            other: {
                user_id: components["schemas"]["UserId"];
                username: string | null;
            };
            from: {
                x: number;
                y: number;
            };
            to: {
                x: number;
                y: number;
            };
            thieves: number;
            caught: number;
            guards: number;
            loot: number;
            seed: string;
        };
        Fame: {
            world: string;
            started_at: components["schemas"]["Time"];
            won_at: components["schemas"]["Time"];
            user_id: components["schemas"]["UserId"];
            username: string | null;
            coins: number;
            players: number;
        };
        WorldPlayer: {
            user_id: components["schemas"]["UserId"];
            username: string | null;
            coins: components["schemas"]["Amount"];
            x: number;
            y: number;
        };
        AppliedEvents: {
            applied: number;
            ignored: number;
            unknown: {
                [key: string]: number;
            };
            failed: {
                index: number;
                code: string;
                detail: string;
                field?: string;
            }[];
            before?: {
                index: number;
                object: {
                    [key: string]: unknown;
                };
            }[];
            before_is_cut?: boolean;
        };
        CacheStats: {
            kinds: {
                [key: string]: {
                    objects: number;
                    bytes: number;
                };
            };
            events: {
                [key: string]: number;
            };
            shards: {
                shard: number;
                s: number;
                at: components["schemas"]["Time"];
                age_seconds: number;
            }[];
            counted_at: components["schemas"]["Time"];
        };
        NewWebhook: {
            id: string;
            secret: string;
        };
        EventWebhook: {
            id: string;
            url: string;
            systems: ("ledger" | "economy" | "tribes" | "messages" | "discord")[] | null;
            types: string[] | null;
            realms: string[] | null;
            created_at: components["schemas"]["Time"];
        };
        Delivery: {
            n: number;
            /** @enum {string} */
            state: "waiting" | "delivered" | "dead";
            queued_at: components["schemas"]["Time"];
            finished_at: components["schemas"]["Time"] | null;
            attempts: number;
            status: number | null;
            why: string | null;
            event: Record<string, never> | null;
        };
        ServiceKey: {
            id: string;
            name: string;
            scopes: ("ledger" | "economy" | "tribes" | "messages" | "discord" | "admin")[];
            realms: string[] | null;
            read_only: boolean;
            created_at: components["schemas"]["Time"];
            expires_at: components["schemas"]["Time"] | null;
            last_used_at: components["schemas"]["Time"] | null;
            revoked_at: components["schemas"]["Time"] | null;
            older_tokens_until: components["schemas"]["Time"] | null;
        };
        NewServiceKey: {
            id: string;
            name: string;
            scopes: ("ledger" | "economy" | "tribes" | "messages" | "discord" | "admin")[];
            realms: string[] | null;
            read_only: boolean;
            created_at: components["schemas"]["Time"];
            expires_at: components["schemas"]["Time"] | null;
            last_used_at: components["schemas"]["Time"] | null;
            revoked_at: components["schemas"]["Time"] | null;
            older_tokens_until: components["schemas"]["Time"] | null;
            token: string;
        };
        StatSeries: {
            requests_per_s: (number | null)[];
            errors_per_s: (number | null)[];
            request_p50_s: (number | null)[];
            request_p99_s: (number | null)[];
            connections: (number | null)[];
            web_sockets: (number | null)[];
            event_listeners: (number | null)[];
            outbox_lag_s: (number | null)[];
            due: (number | null)[];
            overdue_s: (number | null)[];
            dead: (number | null)[];
            redis_memory_bytes: (number | null)[];
            redis_commands_per_s: (number | null)[];
            cache_redis_memory_bytes: (number | null)[];
            cache_redis_commands_per_s: (number | null)[];
            sql_jobs_per_s: (number | null)[];
            sql_errors_per_s: (number | null)[];
            sql_p50_s: (number | null)[];
            sql_p99_s: (number | null)[];
        };
        ServerHealth: {
            /** @enum {string} */
            status: "ok" | "degraded" | "failing";
            problems: {
                [key: string]: string;
            };
        };
        ServerStats: {
            until: components["schemas"]["Time"] | null;
            every_s: number;
            samples: number;
            series: components["schemas"]["StatSeries"];
            health: components["schemas"]["ServerHealth"];
        };
        DueSet: {
            set: string;
            schedule: string;
            place: string | null;
            what: string;
            members: components["schemas"]["Amount"];
            due: components["schemas"]["Amount"];
            overdue_s: components["schemas"]["Amount"];
            dead: components["schemas"]["Amount"];
        };
        DeadMember: {
            member: string;
            died_at: components["schemas"]["Time"];
            why: string;
        };
        Setting: {
            name: string;
            value: string | number | boolean;
        };
        SearchHit: {
            system: string;
            /** @enum {string} */
            kind: "user" | "player" | "order" | "guild" | "channel" | "message";
            id: string;
            name: string | null;
            realm?: string;
            world?: string;
            path: string | null;
        };
        UserExport: {
            user_id: components["schemas"]["UserId"];
            exported_at: components["schemas"]["Time"];
            systems: {
                [key: string]: {
                    [key: string]: unknown[];
                };
            };
            not_exported: string[];
        };
        ForgetJob: {
            pseudonym: string;
            /** @enum {string} */
            state: "running" | "cleaning" | "finished";
            done: string[];
            not_covered: string[];
            requested_at: components["schemas"]["Time"];
            finished_at: components["schemas"]["Time"] | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @example 1 */
        "Retry-After": string;
        /** @example true */
        "Idempotency-Replayed": string;
        /** @example "requests";q=100;w=60 */
        "RateLimit-Policy": string;
        /** @example "requests";r=0;t=1 */
        RateLimit: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    get_livez: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "ok";
                    };
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_healthz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "ok";
                    };
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_readyz: {
        parameters: {
            query?: {
                verbose?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "ok" | "degraded";
                        checks?: {
                            [key: string]: string;
                        };
                        problems?: {
                            [key: string]: string;
                        };
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "not_ready";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_openapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_docs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_events: {
        parameters: {
            query?: {
                system?: string;
                type?: string;
                user_id?: string;
                realm?: string;
                guild_id?: string;
            };
            header?: {
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "too_many_listeners";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    register: {
        parameters: {
            query?: {
                cookie?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    username: string;
                    password: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "username_taken";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "server_busy" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    login: {
        parameters: {
            query?: {
                cookie?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    username: string;
                    password: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "wrong_credentials";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "account_disabled" | "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "server_busy" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    logout: {
        parameters: {
            query?: {
                player?: components["schemas"]["UserId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    logout_everywhere: {
        parameters: {
            query?: {
                player?: components["schemas"]["UserId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "account_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user: components["schemas"]["User"] | null;
                    };
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_me: {
        parameters: {
            query?: {
                player?: components["schemas"]["UserId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlayerAccount"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "account_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_account: {
        parameters: {
            query?: {
                player?: components["schemas"]["UserId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password: string;
                };
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized" | "wrong_credentials";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "account_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    change_password: {
        parameters: {
            query?: {
                player?: components["schemas"]["UserId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password: string;
                    new_password: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized" | "wrong_credentials";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "account_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    list_types: {
        parameters: {
            query?: {
                name?: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ScoreType"][];
                        next_cursor: string | null;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    create_type: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    starts_at?: components["schemas"]["Time"];
                    ends_at?: components["schemas"]["Time"];
                    order_ttl_days?: number;
                    order_age_days_max?: number;
                    remark?: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScoreType"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "in_progress" | "type_exists";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_type: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScoreType"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "type_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    change_type: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    starts_at?: components["schemas"]["Time"] | null;
                    ends_at?: components["schemas"]["Time"] | null;
                    order_ttl_days?: number;
                    order_age_days_max?: number;
                    remark?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScoreType"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "type_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "in_progress" | "type_exists" | "type_over";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    issue_order: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    type: number;
                    domain: components["schemas"]["Domain"];
                    uid: components["schemas"]["UserId"];
                };
            };
        };
        responses: {
            201: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        order_id: components["schemas"]["OrderId"];
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "type_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "in_progress";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    post_entry: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    order_id: components["schemas"]["OrderId"];
                    /** @enum {string} */
                    op: "add" | "deduct" | "reset";
                    type: number;
                    domain: components["schemas"]["Domain"];
                    uid: components["schemas"]["UserId"];
                    amount: components["schemas"]["Amount"];
                    remark?: string;
                    effective_at?: components["schemas"]["Time"];
                    expires_at?: components["schemas"]["Time"];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "type_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        old_balance?: components["schemas"]["Amount"];
                        /** @enum {string} */
                        op?: "add" | "deduct" | "reset";
                        replayed?: boolean;
                        domain?: components["schemas"]["Domain"];
                        uid?: components["schemas"]["UserId"];
                        amount?: components["schemas"]["Amount"];
                        remark?: string;
                        effective_at?: components["schemas"]["Time"];
                        expires_at?: components["schemas"]["Time"];
                        change?: number;
                        /** @enum {unknown} */
                        code?: "type_not_active" | "order_too_old" | "order_conflict" | "insufficient_balance" | "balance_limit" | "foreign_record";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    post_batch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    mode: "continue" | "atomic";
                    entries: {
                        order_id: components["schemas"]["OrderId"];
                        /** @enum {string} */
                        op: "add" | "deduct" | "reset";
                        type: number;
                        domain: components["schemas"]["Domain"];
                        uid: components["schemas"]["UserId"];
                        amount: components["schemas"]["Amount"];
                        remark?: string;
                        effective_at?: components["schemas"]["Time"];
                        expires_at?: components["schemas"]["Time"];
                    }[];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: ({
                            order_id: components["schemas"]["OrderId"];
                            /** @enum {string} */
                            op: "add" | "deduct" | "reset" | "transfer_out" | "transfer_in" | "transfer_done" | "transfer_return" | "exchange_out" | "exchange_in" | "hold" | "capture" | "release" | "mature" | "expire" | "opening" | "forgotten";
                            /** @enum {string} */
                            status: "ok" | "insufficient_balance" | "balance_limit";
                            old_balance: components["schemas"]["Amount"];
                            change: number;
                            balance: components["schemas"]["Amount"];
                            replayed: boolean;
                        } | {
                            order_id: components["schemas"]["OrderId"];
                            /** @enum {string} */
                            status: "invalid_request" | "type_not_found" | "type_not_active" | "order_too_old" | "order_conflict" | "foreign_record";
                            detail: string;
                            field?: string;
                            fields?: string[];
                        })[];
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        mode?: "continue" | "atomic";
                        entries?: {
                            order_id: components["schemas"]["OrderId"];
                            /** @enum {string} */
                            op: "add" | "deduct" | "reset";
                            type: number;
                            domain: components["schemas"]["Domain"];
                            uid: components["schemas"]["UserId"];
                            amount: components["schemas"]["Amount"];
                            remark?: string;
                            effective_at?: components["schemas"]["Time"];
                            expires_at?: components["schemas"]["Time"];
                        }[];
                        results?: ({
                            order_id: components["schemas"]["OrderId"];
                            /** @enum {string} */
                            op: "add" | "deduct" | "reset" | "transfer_out" | "transfer_in" | "transfer_done" | "transfer_return" | "exchange_out" | "exchange_in" | "hold" | "capture" | "release" | "mature" | "expire" | "opening" | "forgotten";
                            /** @enum {string} */
                            status: "ok" | "insufficient_balance" | "balance_limit";
                            old_balance: components["schemas"]["Amount"];
                            change: number;
                            balance: components["schemas"]["Amount"];
                            replayed: boolean;
                        } | {
                            order_id: components["schemas"]["OrderId"];
                            /** @enum {string} */
                            status: "invalid_request" | "type_not_found" | "type_not_active" | "order_too_old" | "order_conflict" | "foreign_record";
                            detail: string;
                            field?: string;
                            fields?: string[];
                        })[];
                        /** @enum {unknown} */
                        code?: "batch_refused" | "not_one_slot" | "foreign_record";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_account: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                type: number;
                domain: components["schemas"]["Domain"];
                uid: components["schemas"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "type_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "foreign_record";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_account_at: {
        parameters: {
            query: {
                time: components["schemas"]["Time"];
            };
            header?: never;
            path: {
                type: number;
                domain: components["schemas"]["Domain"];
                uid: components["schemas"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        type: number;
                        domain: components["schemas"]["Domain"];
                        uid: components["schemas"]["UserId"];
                        time: components["schemas"]["Time"];
                        balance: components["schemas"]["Amount"];
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "type_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "foreign_record";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_order: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uid: components["schemas"]["UserId"];
                order_id: components["schemas"]["OrderId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "order_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "foreign_record";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    post_transfer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    order_id: components["schemas"]["OrderId"];
                    type: number;
                    domain: components["schemas"]["Domain"];
                    from: components["schemas"]["UserId"];
                    to: components["schemas"]["UserId"];
                    amount: components["schemas"]["PositiveAmount"];
                    remark?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        order_id: components["schemas"]["OrderId"];
                        /** @enum {string} */
                        op: "add" | "deduct" | "reset" | "transfer_out" | "transfer_in" | "transfer_done" | "transfer_return" | "exchange_out" | "exchange_in" | "hold" | "capture" | "release" | "mature" | "expire" | "opening" | "forgotten";
                        /** @enum {string} */
                        status: "ok";
                        old_balance: components["schemas"]["Amount"];
                        change: number;
                        balance: components["schemas"]["Amount"];
                        type: number;
                        domain: components["schemas"]["Domain"];
                        amount: components["schemas"]["Amount"];
                        at: components["schemas"]["Time"];
                        replayed: boolean;
                        from: components["schemas"]["UserId"];
                        to: components["schemas"]["UserId"];
                        from_balance: components["schemas"]["Amount"];
                        to_balance: components["schemas"]["Amount"] | null;
                        /** @enum {string} */
                        state: "done" | "pending";
                    };
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        order_id: components["schemas"]["OrderId"];
                        /** @enum {string} */
                        op: "add" | "deduct" | "reset" | "transfer_out" | "transfer_in" | "transfer_done" | "transfer_return" | "exchange_out" | "exchange_in" | "hold" | "capture" | "release" | "mature" | "expire" | "opening" | "forgotten";
                        /** @enum {string} */
                        status: "ok";
                        old_balance: components["schemas"]["Amount"];
                        change: number;
                        balance: components["schemas"]["Amount"];
                        type: number;
                        domain: components["schemas"]["Domain"];
                        amount: components["schemas"]["Amount"];
                        at: components["schemas"]["Time"];
                        replayed: boolean;
                        from: components["schemas"]["UserId"];
                        to: components["schemas"]["UserId"];
                        from_balance: components["schemas"]["Amount"];
                        to_balance: components["schemas"]["Amount"] | null;
                        /** @enum {string} */
                        state: "done" | "pending";
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "type_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        replayed?: boolean;
                        at?: components["schemas"]["Time"];
                        domain?: components["schemas"]["Domain"];
                        from?: components["schemas"]["UserId"];
                        to?: components["schemas"]["UserId"];
                        amount?: components["schemas"]["PositiveAmount"];
                        remark?: string;
                        /** @enum {string} */
                        op?: "add" | "deduct" | "reset" | "transfer_out" | "transfer_in" | "transfer_done" | "transfer_return" | "exchange_out" | "exchange_in" | "hold" | "capture" | "release" | "mature" | "expire" | "opening" | "forgotten";
                        to_balance?: components["schemas"]["Amount"] | null;
                        old_balance?: components["schemas"]["Amount"];
                        change?: number;
                        from_balance?: components["schemas"]["Amount"];
                        /** @enum {unknown} */
                        code?: "type_not_active" | "self_target" | "order_too_old" | "order_conflict" | "insufficient_balance" | "balance_limit" | "transfer_withdrawn" | "foreign_record";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_rate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                from_type: number;
                to_type: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rate"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "rate_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    set_rate: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                from_type: number;
                to_type: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    numerator: number;
                    denominator: number;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rate"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "type_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "in_progress" | "self_target";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    list_rates: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Rate"][];
                        next_cursor: string | null;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    post_exchange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    order_id: components["schemas"]["OrderId"];
                    uid: components["schemas"]["UserId"];
                    domain: components["schemas"]["Domain"];
                    from_type: number;
                    to_type: number;
                    amount: components["schemas"]["PositiveAmount"];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        order_id: components["schemas"]["OrderId"];
                        /** @enum {string} */
                        op: "add" | "deduct" | "reset" | "transfer_out" | "transfer_in" | "transfer_done" | "transfer_return" | "exchange_out" | "exchange_in" | "hold" | "capture" | "release" | "mature" | "expire" | "opening" | "forgotten";
                        /** @enum {string} */
                        status: "ok";
                        old_balance: components["schemas"]["Amount"];
                        change: number;
                        balance: components["schemas"]["Amount"];
                        type: number;
                        domain: components["schemas"]["Domain"];
                        amount: components["schemas"]["Amount"];
                        at: components["schemas"]["Time"];
                        replayed: boolean;
                        from_type: number;
                        to_type: number;
                        debited: components["schemas"]["Amount"];
                        credited: components["schemas"]["Amount"];
                        from_balance: components["schemas"]["Amount"];
                        to_balance: components["schemas"]["Amount"];
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "type_not_found" | "rate_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        debited?: components["schemas"]["Amount"];
                        uid?: components["schemas"]["UserId"];
                        domain?: components["schemas"]["Domain"];
                        from_type?: number;
                        to_type?: number;
                        amount?: components["schemas"]["PositiveAmount"];
                        /** @enum {string} */
                        op?: "add" | "deduct" | "reset" | "transfer_out" | "transfer_in" | "transfer_done" | "transfer_return" | "exchange_out" | "exchange_in" | "hold" | "capture" | "release" | "mature" | "expire" | "opening" | "forgotten";
                        from_balance?: components["schemas"]["Amount"];
                        old_balance?: components["schemas"]["Amount"];
                        change?: number;
                        credited?: components["schemas"]["Amount"];
                        to_balance?: components["schemas"]["Amount"];
                        at?: components["schemas"]["Time"];
                        replayed?: boolean;
                        /** @enum {unknown} */
                        code?: "type_not_active" | "self_target" | "nothing_to_credit" | "order_too_old" | "order_conflict" | "insufficient_balance" | "balance_limit" | "foreign_record";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    post_hold: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    order_id: components["schemas"]["OrderId"];
                    type: number;
                    domain: components["schemas"]["Domain"];
                    uid: components["schemas"]["UserId"];
                    amount: components["schemas"]["PositiveAmount"];
                    expires_at?: components["schemas"]["Time"];
                    remark?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        order_id: components["schemas"]["OrderId"];
                        /** @enum {string} */
                        op: "add" | "deduct" | "reset" | "transfer_out" | "transfer_in" | "transfer_done" | "transfer_return" | "exchange_out" | "exchange_in" | "hold" | "capture" | "release" | "mature" | "expire" | "opening" | "forgotten";
                        /** @enum {string} */
                        status: "ok";
                        old_balance: components["schemas"]["Amount"];
                        change: number;
                        balance: components["schemas"]["Amount"];
                        type: number;
                        domain: components["schemas"]["Domain"];
                        amount: components["schemas"]["Amount"];
                        at: components["schemas"]["Time"];
                        replayed: boolean;
                        uid: components["schemas"]["UserId"];
                        expires_at?: components["schemas"]["Time"];
                        /** @enum {string} */
                        state: "open" | "captured" | "released" | "expired";
                        captured?: components["schemas"]["Amount"];
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "type_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        at?: components["schemas"]["Time"];
                        captured?: components["schemas"]["Amount"];
                        domain?: components["schemas"]["Domain"];
                        uid?: components["schemas"]["UserId"];
                        amount?: components["schemas"]["PositiveAmount"];
                        expires_at?: components["schemas"]["Time"];
                        remark?: string;
                        /** @enum {string} */
                        op?: "add" | "deduct" | "reset" | "transfer_out" | "transfer_in" | "transfer_done" | "transfer_return" | "exchange_out" | "exchange_in" | "hold" | "capture" | "release" | "mature" | "expire" | "opening" | "forgotten";
                        replayed?: boolean;
                        old_balance?: components["schemas"]["Amount"];
                        change?: number;
                        /** @enum {unknown} */
                        code?: "type_not_active" | "order_too_old" | "order_conflict" | "insufficient_balance" | "foreign_record";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    capture_hold: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uid: components["schemas"]["UserId"];
                order_id: components["schemas"]["OrderId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    amount?: components["schemas"]["PositiveAmount"];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClosedHold"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "hold_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        amount?: components["schemas"]["PositiveAmount"];
                        released?: components["schemas"]["Amount"];
                        uid?: components["schemas"]["UserId"];
                        replayed?: boolean;
                        domain?: components["schemas"]["Domain"];
                        captured?: components["schemas"]["Amount"];
                        /** @enum {unknown} */
                        code?: "hold_closed" | "hold_too_small" | "foreign_record";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    release_hold: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uid: components["schemas"]["UserId"];
                order_id: components["schemas"]["OrderId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClosedHold"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "hold_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        released?: components["schemas"]["Amount"];
                        uid?: components["schemas"]["UserId"];
                        replayed?: boolean;
                        domain?: components["schemas"]["Domain"];
                        amount?: components["schemas"]["Amount"];
                        captured?: components["schemas"]["Amount"];
                        /** @enum {unknown} */
                        code?: "hold_closed" | "foreign_record";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    list_accounts: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                uid: components["schemas"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            type: number;
                            domain: components["schemas"]["Domain"];
                            balance: components["schemas"]["Amount"];
                            held: components["schemas"]["Amount"];
                            pending: components["schemas"]["Amount"];
                            waiting: components["schemas"]["Amount"];
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "foreign_record";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    list_holds: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                uid: components["schemas"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            type: number;
                            domain: components["schemas"]["Domain"];
                            order_id: components["schemas"]["OrderId"];
                            amount: components["schemas"]["PositiveAmount"];
                            expires_at: components["schemas"]["Time"] | null;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "foreign_record";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    list_pending_transfers: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                uid: components["schemas"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            type: number;
                            domain: components["schemas"]["Domain"];
                            order_id: components["schemas"]["OrderId"];
                            amount: components["schemas"]["PositiveAmount"];
                            to: components["schemas"]["UserId"];
                            sent_at: components["schemas"]["Time"];
                            remark: string;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "foreign_record";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    list_flows: {
        parameters: {
            query: {
                uid: components["schemas"]["UserId"];
                type?: number;
                domain?: components["schemas"]["Domain"];
                from?: components["schemas"]["Time"];
                to?: components["schemas"]["Time"];
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Flow"][];
                        next_cursor: string | null;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    list_journal: {
        parameters: {
            query?: {
                type?: number;
                domain?: components["schemas"]["Domain"];
                op?: "add" | "deduct" | "reset" | "transfer_out" | "transfer_in" | "transfer_done" | "transfer_return" | "exchange_out" | "exchange_in" | "hold" | "capture" | "release" | "mature" | "expire" | "opening" | "forgotten";
                from?: components["schemas"]["Time"];
                to?: components["schemas"]["Time"];
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["RecordedFlow"][];
                        next_cursor: string | null;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_totals: {
        parameters: {
            query?: {
                type?: number;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            type: number;
                            name: string;
                            outstanding: components["schemas"]["Amount"];
                            held: components["schemas"]["Amount"];
                            pending: components["schemas"]["Amount"];
                            waiting: components["schemas"]["Amount"];
                            at: components["schemas"]["Time"];
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    farm: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                realm: string;
                id: components["schemas"]["UserId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    guild_id?: components["schemas"]["UserId"];
                    name: string;
                    seed?: number;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        gained: components["schemas"]["Amount"];
                        balance: components["schemas"]["Amount"];
                        drop: {
                            item: string;
                            stack: components["schemas"]["Amount"];
                        } | null;
                        vampire: {
                            level: components["schemas"]["Amount"];
                            damage: components["schemas"]["Amount"];
                            necklace_used: boolean;
                        } | null;
                        bomb: {
                            owner: string;
                            damage: components["schemas"]["Amount"];
                        } | null;
                        roll: components["schemas"]["Roll"];
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "on_cooldown" | "balance_limit" | "realm_needs_name" | "foreign_record" | "realm_closed";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    pay: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                realm: string;
                id: components["schemas"]["UserId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    guild_id?: components["schemas"]["UserId"];
                    to: components["schemas"]["UserId"];
                    amount: components["schemas"]["PositiveAmount"];
                    seed?: number;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        balance: components["schemas"]["Amount"];
                        to_balance: components["schemas"]["Amount"];
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "self_target" | "insufficient_balance" | "balance_limit" | "realm_needs_name" | "foreign_record" | "realm_closed";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy" | "realm_lost";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    claim_reward: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                realm: string;
                id: components["schemas"]["UserId"];
                reward: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    guild_id?: components["schemas"]["UserId"];
                    seed?: number;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        reward: components["schemas"]["Amount"];
                        balance: components["schemas"]["Amount"];
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "reward_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "reward_not_ready" | "balance_limit" | "realm_needs_name" | "foreign_record" | "realm_closed";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy" | "realm_lost";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    gamble: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                realm: string;
                id: components["schemas"]["UserId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    guild_id?: components["schemas"]["UserId"];
                    amount: components["schemas"]["PositiveAmount"] | "all";
                    seed?: number;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        change: number;
                        balance: components["schemas"]["Amount"];
                        roll: components["schemas"]["Roll"];
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "insufficient_balance" | "balance_limit" | "realm_needs_name" | "foreign_record" | "realm_closed";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy" | "realm_lost";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    discombobulate: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                realm: string;
                id: components["schemas"]["UserId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    guild_id?: components["schemas"]["UserId"];
                    target: components["schemas"]["UserId"];
                    amount: components["schemas"]["PositiveAmount"];
                    seed?: number;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        damage: components["schemas"]["Amount"];
                        balance: components["schemas"]["Amount"];
                        target_balance: components["schemas"]["Amount"];
                        seconds_left: components["schemas"]["Amount"];
                        roll: components["schemas"]["Roll"];
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "self_target" | "on_cooldown" | "insufficient_balance" | "offer_too_low" | "realm_needs_name" | "foreign_record" | "realm_closed";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    trade: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                realm: string;
                id: components["schemas"]["UserId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    guild_id?: components["schemas"]["UserId"];
                    to: components["schemas"]["UserId"];
                    item: string;
                    quantity: components["schemas"]["PositiveAmount"];
                    seed?: number;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        item: string;
                        left: components["schemas"]["Amount"];
                        to_stack: components["schemas"]["Amount"];
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "self_target" | "unknown_item" | "not_tradable" | "not_enough_items" | "stack_full" | "realm_needs_name" | "foreign_record" | "realm_closed";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy" | "realm_lost";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    sell: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                realm: string;
                id: components["schemas"]["UserId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    guild_id?: components["schemas"]["UserId"];
                    item: string;
                    quantity: components["schemas"]["PositiveAmount"];
                    seed?: number;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        item: string;
                        left: components["schemas"]["Amount"];
                        gained: components["schemas"]["Amount"];
                        balance: components["schemas"]["Amount"];
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unknown_item" | "not_sellable" | "not_enough_items" | "balance_limit" | "realm_needs_name" | "foreign_record" | "realm_closed";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy" | "realm_lost";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    craft: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                realm: string;
                id: components["schemas"]["UserId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    guild_id?: components["schemas"]["UserId"];
                    item: string;
                    seed?: number;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        item: string;
                        stack: components["schemas"]["Amount"];
                        balance: components["schemas"]["Amount"];
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unknown_item" | "not_craftable" | "stack_full" | "insufficient_balance" | "not_enough_items" | "realm_needs_name" | "foreign_record" | "realm_closed";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy" | "realm_lost";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    use_item: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                realm: string;
                id: components["schemas"]["UserId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    guild_id?: components["schemas"]["UserId"];
                    item: string;
                    target?: components["schemas"]["UserId"];
                    seed?: number;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        item: string;
                        left: components["schemas"]["Amount"];
                        vampire_level: components["schemas"]["Amount"] | null;
                        effect: components["schemas"]["Effect"] | null;
                        bombs: {
                            owner: string;
                            seconds_left: components["schemas"]["Amount"];
                        }[] | null;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unknown_item" | "not_usable" | "self_target" | "not_enough_items" | "realm_needs_name" | "foreign_record" | "realm_closed";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy" | "realm_lost";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    plant_bomb: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                realm: string;
                id: components["schemas"]["UserId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    guild_id?: components["schemas"]["UserId"];
                    seconds: number;
                    seed?: number;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        left: components["schemas"]["Amount"];
                        due_at: components["schemas"]["Time"];
                        within_s: components["schemas"]["Amount"];
                        roll: components["schemas"]["Roll"] | null;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unknown_item" | "not_enough_items" | "realm_needs_name" | "foreign_record" | "realm_closed";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy" | "realm_lost";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    inspect: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                realm: string;
                id: components["schemas"]["UserId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    guild_id?: components["schemas"]["UserId"];
                    target: components["schemas"]["UserId"];
                    seed?: number;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        balance: components["schemas"]["Amount"];
                        inventory: {
                            [key: string]: components["schemas"]["Amount"];
                        };
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "insufficient_balance" | "realm_needs_name" | "foreign_record" | "realm_closed";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    start_roulette: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                realm: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    guild_id?: components["schemas"]["UserId"];
                    seed?: number;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "realm_needs_name" | "realm_closed";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy" | "realm_lost";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    shoot: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                realm: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    player: components["schemas"]["UserId"];
                    guild_id?: components["schemas"]["UserId"];
                    seed?: number;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        outcome: "survived" | "shot";
                        lost: components["schemas"]["Amount"];
                        balance: components["schemas"]["Amount"];
                        roll: components["schemas"]["Roll"] | null;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "roulette_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "realm_needs_name" | "foreign_record" | "realm_closed";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_player: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                realm: string;
                id: components["schemas"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Player"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "realm_needs_name" | "foreign_record" | "realm_closed";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_player: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                realm: string;
                id: components["schemas"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "player_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "realm_needs_name" | "foreign_record" | "realm_closed";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "realm_lost";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_leaderboard: {
        parameters: {
            query?: {
                limit?: number;
                around?: components["schemas"]["UserId"];
            };
            header?: never;
            path: {
                realm: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Standing"][];
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "realm_needs_name" | "foreign_record";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_items: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                realm: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Catalogue"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "realm_needs_name" | "realm_closed";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_player_events: {
        parameters: {
            query?: {
                type?: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                realm: string;
                id: components["schemas"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["EconomyEvent"][];
                        next_cursor: string | null;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "realm_needs_name" | "realm_closed";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_economy_events: {
        parameters: {
            query?: {
                type?: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                realm: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["EconomyEvent"][];
                        next_cursor: string | null;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "realm_needs_name" | "realm_closed";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    list_players: {
        parameters: {
            query?: {
                prefix?: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                realm: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ListedPlayer"][];
                        next_cursor: string | null;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "realm_needs_name" | "realm_closed" | "foreign_record";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    import_players: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                realm: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPlayer"] | components["schemas"]["NewPlayer"][];
                "application/x-ndjson": string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportedPlayers"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "realm_needs_name" | "foreign_record" | "realm_closed";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy" | "realm_lost";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    create_realm: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                realm: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        realm: string;
                        version: string;
                        created: boolean;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "in_progress" | "realm_needs_name" | "realm_closed";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "realm_lost";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_realm: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                realm: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "realm_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "in_progress" | "realm_needs_name";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    list_realms: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            realm: string;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    adjust_player: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                realm: string;
                id: components["schemas"]["UserId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    guild_id?: components["schemas"]["UserId"];
                    points?: number;
                    items?: {
                        [key: string]: number;
                    };
                    name?: string;
                    effects?: {
                        [key: string]: {
                            value: components["schemas"]["PositiveAmount"];
                            seconds: components["schemas"]["PositiveAmount"];
                        } | null;
                    };
                    reason: string;
                    seed?: number;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Player"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unknown_effect" | "unknown_item" | "insufficient_balance" | "balance_limit" | "not_enough_items" | "stack_full" | "realm_needs_name" | "foreign_record" | "realm_closed";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy" | "realm_lost";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    export_player: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                realm: string;
                id: components["schemas"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlayerExport"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "realm_needs_name" | "foreign_record" | "realm_closed";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    list_messages: {
        parameters: {
            query?: {
                target_id?: components["schemas"]["UserId"];
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Message"][];
                        next_cursor: string | null;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    create_message: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    text: string;
                    author_id: components["schemas"]["UserId"];
                    target_id: components["schemas"]["UserId"];
                    active?: boolean;
                    rule: {
                        tokens: number;
                        seconds: number;
                        /** @enum {string} */
                        refill?: "interval" | "continuous";
                    };
                };
            };
        };
        responses: {
            201: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "in_progress";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_message: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "message_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_message: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "message_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "in_progress";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    change_message: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    text?: string;
                    author_id?: components["schemas"]["UserId"];
                    target_id?: components["schemas"]["UserId"];
                    active?: boolean;
                    rule?: {
                        tokens?: number;
                        seconds?: number;
                        /** @enum {string} */
                        refill?: "interval" | "continuous";
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "message_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "in_progress";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    select_message: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    user_id: components["schemas"]["UserId"];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: components["schemas"]["Message"] | null;
                        tokens_left?: number;
                        sent_at?: components["schemas"]["Time"];
                        roll?: {
                            seed: number;
                            values: number[];
                            among: number;
                        } | null;
                        retry_at?: components["schemas"]["Time"] | null;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "in_progress";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_message_history: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                user_id: components["schemas"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            message_id: string;
                            sent_at: components["schemas"]["Time"];
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    list_worlds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["World"][];
                    };
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    create_world: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @example sprint */
                    id: string;
                    speed?: number;
                    rules?: {
                        goal_coins: number;
                        start_coins: number;
                        buildings: {
                            kitchen: {
                                first: {
                                    cost: number;
                                    seconds: number;
                                };
                                levels: {
                                    cost: number;
                                    seconds: number;
                                    capacity: number;
                                }[];
                            };
                            shop: {
                                first: {
                                    cost: number;
                                    seconds: number;
                                };
                                levels: {
                                    cost: number;
                                    seconds: number;
                                    capacity: number;
                                }[];
                            };
                            house: {
                                first: {
                                    cost: number;
                                    seconds: number;
                                };
                                levels: {
                                    cost: number;
                                    seconds: number;
                                    capacity: number;
                                }[];
                            };
                            school: {
                                first: {
                                    cost: number;
                                    seconds: number;
                                };
                                levels: {
                                    cost: number;
                                    seconds: number;
                                }[];
                            };
                        };
                        educations: {
                            chef: {
                                cost: number;
                                seconds: number;
                                /** @enum {string} */
                                workplace: "kitchen" | "shop";
                            };
                            salesmouse: {
                                cost: number;
                                seconds: number;
                                /** @enum {string} */
                                workplace: "kitchen" | "shop";
                            };
                            guard: {
                                cost: number;
                                seconds: number;
                            };
                            thief: {
                                cost: number;
                                seconds: number;
                            };
                        };
                        mouse_clock: {
                            speed: number;
                            rush_hours: {
                                from: number;
                                to: number;
                            }[];
                        };
                        razing: {
                            cost_percent: number;
                            time_percent: number;
                        };
                        queues: {
                            constructions_max: number;
                            trainings_max: number;
                            travels_max: number;
                            arrivals_max: number;
                            begun_refund_percent: number;
                        };
                        production: {
                            chef_rate: number;
                            salesmouse_rate: number;
                            demand_rate: number;
                            rush_demand_rate: number;
                            pizza_price: number;
                        };
                        taps: {
                            pizzas: number;
                            coins: number;
                            every_s: number;
                        };
                        world: {
                            size: number;
                            zone_size: number;
                            towns_per_zone_max: number;
                        };
                        heists: {
                            travel_ms_per_field: number;
                            thief_strength: number;
                            loot_per_thief: number;
                        };
                        updates: {
                            every_s: number;
                            watched_every_s: number;
                        };
                    };
                };
            };
        };
        responses: {
            201: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["World"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "in_progress" | "world_exists" | "world_lost" | "world_needs_name";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_world: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                world: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["World"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "world_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "world_needs_name";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_world: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                world: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "world_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "in_progress" | "world_needs_name";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    change_world: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                world: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    speed?: number;
                    /** @enum {string} */
                    state?: "running" | "closed";
                    rules?: {
                        goal_coins: number;
                        start_coins: number;
                        buildings: {
                            kitchen: {
                                first: {
                                    cost: number;
                                    seconds: number;
                                };
                                levels: {
                                    cost: number;
                                    seconds: number;
                                    capacity: number;
                                }[];
                            };
                            shop: {
                                first: {
                                    cost: number;
                                    seconds: number;
                                };
                                levels: {
                                    cost: number;
                                    seconds: number;
                                    capacity: number;
                                }[];
                            };
                            house: {
                                first: {
                                    cost: number;
                                    seconds: number;
                                };
                                levels: {
                                    cost: number;
                                    seconds: number;
                                    capacity: number;
                                }[];
                            };
                            school: {
                                first: {
                                    cost: number;
                                    seconds: number;
                                };
                                levels: {
                                    cost: number;
                                    seconds: number;
                                }[];
                            };
                        };
                        educations: {
                            chef: {
                                cost: number;
                                seconds: number;
                                /** @enum {string} */
                                workplace: "kitchen" | "shop";
                            };
                            salesmouse: {
                                cost: number;
                                seconds: number;
                                /** @enum {string} */
                                workplace: "kitchen" | "shop";
                            };
                            guard: {
                                cost: number;
                                seconds: number;
                            };
                            thief: {
                                cost: number;
                                seconds: number;
                            };
                        };
                        mouse_clock: {
                            speed: number;
                            rush_hours: {
                                from: number;
                                to: number;
                            }[];
                        };
                        razing: {
                            cost_percent: number;
                            time_percent: number;
                        };
                        queues: {
                            constructions_max: number;
                            trainings_max: number;
                            travels_max: number;
                            arrivals_max: number;
                            begun_refund_percent: number;
                        };
                        production: {
                            chef_rate: number;
                            salesmouse_rate: number;
                            demand_rate: number;
                            rush_demand_rate: number;
                            pizza_price: number;
                        };
                        taps: {
                            pizzas: number;
                            coins: number;
                            every_s: number;
                        };
                        world: {
                            size: number;
                            zone_size: number;
                            towns_per_zone_max: number;
                        };
                        heists: {
                            travel_ms_per_field: number;
                            thief_strength: number;
                            loot_per_thief: number;
                        };
                        updates: {
                            every_s: number;
                            watched_every_s: number;
                        };
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["World"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "world_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "in_progress" | "world_needs_name" | "world_over";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_rules: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                world: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorldRules"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "world_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "world_needs_name";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    join_world: {
        parameters: {
            query?: {
                player?: components["schemas"]["UserId"];
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                world: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user_id: components["schemas"]["UserId"];
                        revision: number;
                        at: components["schemas"]["Time"];
                        state: components["schemas"]["Town"];
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "world_not_found" | "account_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "world_needs_name" | "world_over" | "world_full" | "already_joined";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_town: {
        parameters: {
            query?: {
                path?: string;
                player?: components["schemas"]["UserId"];
            };
            header?: never;
            path: {
                world: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user_id: components["schemas"]["UserId"];
                        revision: number;
                        at: components["schemas"]["Time"];
                        state: {
                            [key: string]: unknown;
                        } | {
                            [key: string]: unknown;
                        }[] | number | boolean | string;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request" | "malformed_path" | "path_too_deep";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "world_not_found" | "path_not_found" | "account_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "world_needs_name" | "not_joined";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    act: {
        parameters: {
            query?: {
                player?: components["schemas"]["UserId"];
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                world: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "construct";
                    /** @enum {string} */
                    lot: "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "10";
                    /** @enum {string} */
                    building: "kitchen" | "shop" | "house" | "school";
                } | {
                    /** @enum {string} */
                    type: "upgrade";
                    /** @enum {string} */
                    lot: "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "10";
                } | {
                    /** @enum {string} */
                    type: "raze";
                    /** @enum {string} */
                    lot: "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "10";
                } | {
                    /** @enum {string} */
                    type: "tap";
                    /** @enum {string} */
                    lot: "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "10";
                } | {
                    /** @enum {string} */
                    type: "train";
                    /** @enum {string} */
                    education: "chef" | "salesmouse" | "guard" | "thief";
                    amount: components["schemas"]["PositiveAmount"];
                } | {
                    /** @enum {string} */
                    type: "steal";
                    x: number;
                    y: number;
                    thieves: components["schemas"]["PositiveAmount"];
                } | {
                    /** @enum {string} */
                    type: "cancel";
                    /** @enum {string} */
                    queue: "construction" | "training" | "travel";
                    index: number;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        revision: number;
                        state: components["schemas"]["Town"];
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "world_not_found" | "account_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "world_needs_name" | "world_over" | "not_joined" | "lot_taken" | "lot_empty" | "lot_busy" | "max_level" | "queue_full" | "not_enough_coins" | "no_school" | "too_few_uneducated" | "not_tappable" | "tapped_too_soon" | "not_cancellable" | "no_such_element" | "no_town_there" | "own_town" | "target_busy" | "not_enough_thieves";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    watch_town: {
        parameters: {
            query?: {
                player?: components["schemas"]["UserId"];
            };
            header?: never;
            path: {
                world: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            101: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "world_not_found" | "account_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "world_needs_name" | "not_joined";
                    } & components["schemas"]["Problem"];
                };
            };
            426: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "upgrade_required";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_history: {
        parameters: {
            query?: {
                resource?: "coins" | "pizzas";
                from?: components["schemas"]["Time"];
                to?: components["schemas"]["Time"];
                bucket?: number;
                player?: components["schemas"]["UserId"];
            };
            header?: never;
            path: {
                world: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        points: components["schemas"]["Point"][];
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "world_not_found" | "account_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "world_needs_name" | "not_joined";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_tribes_leaderboard: {
        parameters: {
            query?: {
                limit?: number;
                around?: components["schemas"]["UserId"];
            };
            header?: never;
            path: {
                world: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["RankedTown"][];
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "world_not_found" | "account_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "world_needs_name" | "not_joined";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_map: {
        parameters: {
            query: {
                x: number;
                y: number;
                radius?: number;
            };
            header?: never;
            path: {
                world: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        towns: components["schemas"]["MapTown"][];
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "world_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "world_needs_name" | "not_joined";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    list_reports: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                player?: components["schemas"]["UserId"];
            };
            header?: never;
            path: {
                world: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["HeistReport"][];
                        next_cursor: string | null;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "world_not_found" | "account_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "world_needs_name" | "not_joined";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    read_report: {
        parameters: {
            query?: {
                player?: components["schemas"]["UserId"];
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                world: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "world_not_found" | "report_not_found" | "account_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "in_progress" | "world_needs_name" | "not_joined";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    list_fame: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Fame"][];
                        next_cursor: string | null;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    list_world_players: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                world: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["WorldPlayer"][];
                        next_cursor: string | null;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "world_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "world_needs_name";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    post_discord_events: {
        parameters: {
            query?: {
                before?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    t: string;
                    d: {
                        [key: string]: unknown;
                    };
                    s?: number | null;
                    shard?: number | null;
                } | {
                    t: string;
                    d: {
                        [key: string]: unknown;
                    };
                    s?: number | null;
                    shard?: number | null;
                }[];
                "application/x-ndjson": string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppliedEvents"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy" | "cache_full";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_discord_guild: {
        parameters: {
            query?: {
                raw?: boolean;
            };
            header?: never;
            path: {
                guild_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "not_cached";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_discord_welcome_screen: {
        parameters: {
            query?: {
                raw?: boolean;
            };
            header?: never;
            path: {
                guild_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "not_cached";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    put_discord_welcome_screen: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                guild_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "in_progress" | "not_kept";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy" | "cache_full";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_discord_welcome_screen: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                guild_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "not_cached";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "in_progress";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_discord_widget: {
        parameters: {
            query?: {
                raw?: boolean;
            };
            header?: never;
            path: {
                guild_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "not_cached";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    put_discord_widget: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                guild_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "in_progress" | "not_kept";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy" | "cache_full";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_discord_widget: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                guild_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "not_cached";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "in_progress";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_discord_guild_object: {
        parameters: {
            query?: {
                raw?: boolean;
            };
            header?: never;
            path: {
                guild_id: string;
                collection: "channels" | "roles" | "emojis" | "stickers" | "members" | "voice-states" | "presences" | "automod-rules" | "scheduled-events" | "integrations" | "templates" | "bans" | "invites" | "stage-instances" | "threads" | "webhooks";
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "not_cached";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    put_discord_guild_object: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                guild_id: string;
                collection: "templates" | "bans" | "webhooks";
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "in_progress" | "not_kept";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy" | "cache_full";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_discord_guild_object: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                guild_id: string;
                collection: "templates" | "bans" | "webhooks";
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "not_cached";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "in_progress";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_discord_user: {
        parameters: {
            query?: {
                raw?: boolean;
            };
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "not_cached";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_discord_channel: {
        parameters: {
            query?: {
                raw?: boolean;
            };
            header?: never;
            path: {
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "not_cached";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_discord_thread: {
        parameters: {
            query?: {
                raw?: boolean;
            };
            header?: never;
            path: {
                thread_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "not_cached";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_discord_thread_member: {
        parameters: {
            query?: {
                raw?: boolean;
            };
            header?: never;
            path: {
                thread_id: string;
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "not_cached";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_discord_message: {
        parameters: {
            query?: {
                raw?: boolean;
            };
            header?: never;
            path: {
                message_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "not_cached";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_discord_invite: {
        parameters: {
            query?: {
                raw?: boolean;
            };
            header?: never;
            path: {
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "not_cached";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_discord_webhook: {
        parameters: {
            query?: {
                raw?: boolean;
            };
            header?: never;
            path: {
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "not_cached";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    put_discord_webhook: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "in_progress" | "not_kept";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy" | "cache_full";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_discord_webhook: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "not_cached";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "in_progress";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_discord_interaction: {
        parameters: {
            query?: {
                raw?: boolean;
            };
            header?: never;
            path: {
                interaction_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "not_cached";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_discord_application: {
        parameters: {
            query?: {
                raw?: boolean;
            };
            header?: never;
            path: {
                application_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "not_cached";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    put_discord_application: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                application_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "in_progress" | "not_kept";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy" | "cache_full";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_discord_application: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                application_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "not_cached";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "in_progress";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_discord_command: {
        parameters: {
            query?: {
                raw?: boolean;
            };
            header?: never;
            path: {
                application_id: string;
                command_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "not_cached";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    put_discord_command: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                application_id: string;
                command_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "in_progress" | "not_kept";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy" | "cache_full";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_discord_command: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                application_id: string;
                command_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "not_cached";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "in_progress";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    list_discord_guilds: {
        parameters: {
            query?: {
                raw?: boolean;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            [key: string]: unknown;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    list_discord_guild_objects: {
        parameters: {
            query?: {
                raw?: boolean;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                guild_id: string;
                collection: "channels" | "roles" | "emojis" | "stickers" | "members" | "voice-states" | "presences" | "automod-rules" | "scheduled-events" | "integrations" | "templates" | "bans" | "invites" | "stage-instances" | "threads" | "webhooks";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            [key: string]: unknown;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    list_discord_user_guilds: {
        parameters: {
            query?: {
                raw?: boolean;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            [key: string]: unknown;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    list_discord_channel_messages: {
        parameters: {
            query?: {
                raw?: boolean;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            [key: string]: unknown;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    list_discord_thread_members: {
        parameters: {
            query?: {
                raw?: boolean;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                thread_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            [key: string]: unknown;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    list_discord_reactions: {
        parameters: {
            query?: {
                raw?: boolean;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                message_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            emoji: {
                                id: string | null;
                                name: string | null;
                            };
                            count: number;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    list_discord_reaction_users: {
        parameters: {
            query?: {
                raw?: boolean;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                message_id: string;
                emoji: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            [key: string]: unknown;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    list_discord_commands: {
        parameters: {
            query?: {
                raw?: boolean;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                application_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            [key: string]: unknown;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    lookup_discord_objects: {
        parameters: {
            query?: {
                raw?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    keys: string[][];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: ({
                            [key: string]: unknown;
                        } | null)[];
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_discord_permissions: {
        parameters: {
            query?: {
                channel?: string;
            };
            header?: never;
            path: {
                guild_id: string;
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        permissions: string;
                        effective: string;
                        names: string[];
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "not_cached";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_discord_stats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CacheStats"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    purge_discord_cache: {
        parameters: {
            query: {
                version: string;
                prefix?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deleted: number;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    list_webhooks: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["EventWebhook"][];
                        next_cursor: string | null;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    create_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    url: string;
                    systems?: ("ledger" | "economy" | "tribes" | "messages" | "discord")[] | null;
                    types?: string[] | null;
                    realms?: string[] | null;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewWebhook"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden" | "address_not_allowed";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_webhooks";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventWebhook"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "webhook_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_webhook: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "webhook_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "in_progress";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    change_webhook: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    url?: string;
                    systems?: ("ledger" | "economy" | "tribes" | "messages" | "discord")[] | null;
                    types?: string[] | null;
                    realms?: string[] | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventWebhook"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden" | "address_not_allowed";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "webhook_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "in_progress";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    list_deliveries: {
        parameters: {
            query?: {
                state?: "waiting" | "delivered" | "dead";
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Delivery"][];
                        next_cursor: string | null;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "webhook_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    replay_delivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                n: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "webhook_not_found" | "delivery_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    list_keys: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ServiceKey"][];
                        next_cursor: string | null;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    create_key: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    scopes: ("ledger" | "economy" | "tribes" | "messages" | "discord" | "admin")[];
                    realms?: string[] | null;
                    read_only?: boolean;
                    expires_at?: components["schemas"]["Time"];
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewServiceKey"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceKey"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "service_key_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    revoke_key: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "service_key_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "in_progress";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    change_key: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    scopes?: ("ledger" | "economy" | "tribes" | "messages" | "discord" | "admin")[];
                    realms?: string[] | null;
                    read_only?: boolean;
                    expires_at?: components["schemas"]["Time"] | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceKey"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "service_key_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "in_progress" | "service_key_revoked";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    rotate_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    overlap_s?: number;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewServiceKey"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "service_key_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "service_key_revoked" | "too_many_tokens";
                    } & components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable" | "server_busy";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_stats: {
        parameters: {
            query?: {
                minutes?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerStats"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    list_jobs: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["DueSet"][];
                        next_cursor: string | null;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    list_dead_members: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                set: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["DeadMember"][];
                        next_cursor: string | null;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "due_set_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    requeue_dead_member: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                set: string;
                member: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "due_set_not_found" | "dead_member_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "in_progress";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    drop_dead_member: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                set: string;
                member: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "due_set_not_found" | "dead_member_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "in_progress" | "member_must_stay";
                    } & components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "idempotency_conflict";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_settings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Setting"][];
                    };
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    search: {
        parameters: {
            query: {
                q: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["SearchHit"][];
                        unavailable: string[];
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    export_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserExport"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "export_too_large";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_forget: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForgetJob"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forget_not_found";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    forget_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForgetJob"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    } & components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections" | "rate_limited";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "clock_off" | "store_unavailable";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_start_page: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_game_page: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_icon: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
    get_asset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    } & components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "too_many_connections";
                    } & components["schemas"]["Problem"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    } & components["schemas"]["Problem"];
                };
            };
        };
    };
}
