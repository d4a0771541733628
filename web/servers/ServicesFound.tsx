import type { ServerView } from '@innkeeper/contract/servers'
import { Text } from '@mantine/core'
import { Mono } from '../kit/Mono.tsx'
import { Section } from '../kit/Section.tsx'
import { StatusBadge } from '../kit/StatusBadge.tsx'
import css from './servers.module.css'
import { wantedServices } from './words.ts'

/** What runs on the machine, and what its type wants and nobody found. */
export function ServicesFound({ server }: { server: ServerView }) {
  const { services } = server
  const absent = wantedServices(server).missing.filter((name) => !services.some((found) => found.name === name))
  const hint = `${services.length}, as the agent sees them`
  return (
    <Section title="Services found" hint={hint} pad={false}>
      <ul className={css.services}>
        {services.map(({ name, version, state, detail }) => (
          <li key={name}>
            <Mono fw={500}>{name}</Mono>
            <Mono c="dimmed" truncate title={version ?? undefined}>
              {version ?? 'version unknown'}
            </Mono>
            <StatusBadge state={state} />
            <Text c={state === 'failed' ? undefined : 'dimmed'}>{detail}</Text>
          </li>
        ))}
        {absent.map((name) => (
          <li key={name}>
            <Mono fw={500}>{name}</Mono>
            <Text c="dimmed">not found</Text>
            <StatusBadge state={server.enrolledAt ? 'degraded' : 'pending'} label="Wanted" />
            <Text c="dimmed">{server.enrolledAt ? 'Provision now brings it.' : 'Comes with the agent.'}</Text>
          </li>
        ))}
        {services.length === 0 && absent.length === 0 && (
          <li>
            <Text c="dimmed" style={{ gridColumn: '1 / -1' }}>
              The agent has told of none yet.
            </Text>
          </li>
        )}
      </ul>
      {server.notEnforced.length > 0 && (
        <Text c="dimmed" fz="xs" p="8px 14px" style={{ borderTop: '1px solid var(--ink-line)' }}>
          Not enforced here: {server.notEnforced.join(', ')}.
        </Text>
      )}
    </Section>
  )
}
