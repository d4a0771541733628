import { FTP_GUESSERS, FTP_PORTS } from '@innkeeper/contract/machines/ipsets/guessers'
import { sql } from 'drizzle-orm'
import type { GuessedService } from '../../machines/ipsets/guessers/ban.ts'

/** Bans of addresses that guess passwords of FTP users. */
export const ftpGuesses: GuessedService = {
  ...{ name: 'ftp', word: 'FTP', set: FTP_GUESSERS, ports: FTP_PORTS, event: 'ftpUsers' },
  description:
    'Addresses that guess passwords of FTP users. Innkeeper adds and ends them. Ports without FTP stay open.',
  servers: sql`select f.server_id from ftp_servers f join servers s on s.server_id = f.server_id and s.deleted_at is null
    where f.ready_at is not null`,
}
