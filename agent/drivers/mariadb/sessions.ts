import { accountHost, isLocal, type Who } from './grants.ts'
import { ask, quoted } from './mariadbAsk.ts'

// the process list contains `localhost` for the socket, and address:port for other clients
const client = "left(host, char_length(host) - locate(':', reverse(host)))"
/** SQL that selects the ids of the open connections of an account. */
const selecting = (who: Who) =>
  `select id from information_schema.processlist
    where user = ${quoted(who.user)} and command <> 'Killed' and ${comesFrom(who)}`

/** SQL that is true for a connection from the host of the account. */
function comesFrom(who: Who): string {
  if (isLocal(who)) return `(host = 'localhost' or ${client} = '127.0.0.1')`
  const [address = '', mask] = accountHost(who.host ?? '').split('/')
  return mask
    ? `inet_aton(${client}) & inet_aton(${quoted(mask)}) = inet_aton(${quoted(address)})`
    : `inet6_aton(${client}) = inet6_aton(${quoted(address)})`
}

export const isConnected = async (who: Who): Promise<boolean> => (await ask(`${selecting(who)} limit 1;`)) !== ''

/** Ends the open connections of an account, which MariaDB leaves open when the account is locked, changed or dropped. */
export async function endSessions(who: Who): Promise<void> {
  // error 1094: the connection ended by itself
  await ask(`delimiter //
    begin not atomic
      declare continue handler for 1094 begin end;
      for one in (${selecting(who)}) do kill one.id; end for;
    end//`)
}
