import type { ReportLine } from '@innkeeper/contract/hosting/moves/shapes'
import { Text } from '@mantine/core'
import { Section } from '../../kit/frame/Section.tsx'
import { Glyph } from '../../kit/look/Glyph.tsx'
import { Mono } from '../../kit/look/Mono.tsx'
import { stateOf } from '../../kit/look/stateWords.ts'
import css from './wizard/findings.module.css'

const titles: Record<string, string> = {
  files: 'Files',
  database: 'Database',
  http: 'New server',
  requests: 'Requests',
  sftp: 'SFTP access',
  dns: 'DNS',
  cron: 'Cron jobs',
}

/** Comparison by the destination, one line per kind of object. */
export const Report = ({ lines }: { lines: readonly ReportLine[] }) => (
  <Section title="Report" pad={lines.length === 0}>
    {lines.length === 0 ? (
      <Text c="dimmed">Nothing was compared yet.</Text>
    ) : (
      <ul className={css.findings}>
        {lines.map(({ type, name, result, detail }) => {
          const { colour, shape } = stateOf(result === 'differs' ? 'failed' : 'done')
          return (
            <li key={`${type} ${name}`} className={css.finding}>
              <Glyph shape={shape} colour={colour} size={14} />
              <Text fw={500}>{titles[type] ?? type}</Text>
              <div className={css.text}>
                <Mono>{name}</Mono>
                <Text c="dimmed">{detail}</Text>
              </div>
            </li>
          )
        })}
      </ul>
    )}
  </Section>
)
