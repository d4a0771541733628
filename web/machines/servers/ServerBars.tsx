import type { Server } from '@innkeeper/contract/machines/servers/shapes'
import { Progress, Text, Tooltip } from '@mantine/core'
import { figuresOf } from './load/load.ts'
import css from './servers.module.css'

/** Bars for load, memory and disk; grey when the data is old. */
export function Bars({ server: { load, observed } }: { server: Server }) {
  if (!load)
    return (
      <Text span c="dimmed">
        –
      </Text>
    )
  return (
    <div className={css.bars} data-old={observed !== 'online' || undefined}>
      {figuresOf(load).map(({ label, value, of, share }) => (
        <Tooltip key={label} label={`${label}: ${value} ${of}`}>
          <Progress
            size={4}
            value={Math.max(share * 100, 3)}
            color={share >= 0.95 ? 'error.5' : share >= 0.85 ? 'warning.5' : 'var(--ink-bar)'}
            aria-label={`${label} ${Math.round(share * 100)} %`}
          />
        </Tooltip>
      ))}
    </div>
  )
}

export const percent = (server: Server, of: 0 | 1 | 2) =>
  server.load ? Math.round((figuresOf(server.load)[of].share ?? 0) * 100) : null
