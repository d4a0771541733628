import { Mono } from '../look/Mono.tsx'
import type { Column } from './columns.ts'

/** Column that shows the server of a row. */
export const serverColumn: Column<{ serverName: string | null }> = {
  key: 'server',
  title: 'Server',
  width: 140,
  csv: ({ serverName }) => serverName,
  cell: ({ serverName }) => (
    <Mono truncate display="block">
      {serverName ?? '–'}
    </Mono>
  ),
}
