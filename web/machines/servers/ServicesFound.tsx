import { type ServerView, serviceName } from '@innkeeper/contract/machines/servers/shapes'
import { Group, Menu, Text } from '@mantine/core'
import { listed, useReason } from '../../kit/access/reasons.ts'
import { Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { counted } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { useNow } from '../../kit/look/useNow.ts'
import { addPhp, repair } from './acts.ts'
import { serversApi } from './api.ts'
import css from './servers.module.css'
import { sinceText, wantedServices } from './words.ts'

/** Services on the server, and the required services that are missing. */
export function ServicesFound({ server }: { server: ServerView }) {
  const { services } = server
  const absent = wantedServices(server).missing.filter((name) => !services.some((found) => found.name === name))
  const now = useNow()
  const hint = `${services.length}, as the agent sees them`
  return (
    <Section title="Services found" hint={hint} pad={false}>
      <ul className={css.services}>
        {services.map((service) => (
          <li key={`${service.name} ${service.detail}`}>
            <Mono fw={500}>{service.name}</Mono>
            <Mono c="dimmed" truncate title={service.version ?? undefined}>
              {service.version ?? 'version unknown'}
            </Mono>
            <StatusBadge state={service.state} />
            <Text c={service.state === 'failed' ? undefined : 'dimmed'}>
              {sinceText(service, now)}
              {service.waiting !== undefined && `, ${counted(service.waiting, ['message waits', 'messages wait'])}`}
            </Text>
            {service.state !== 'active' && <Repair server={server} service={service.name} />}
          </li>
        ))}
        {absent.map((name) => (
          <li key={name}>
            <Mono fw={500}>{name}</Mono>
            <Text c="dimmed">not found</Text>
            <StatusBadge state={server.enrolledAt ? 'degraded' : 'pending'} label="Wanted" />
            <Text c="dimmed">{server.enrolledAt ? 'Not installed.' : 'Comes with the agent.'}</Text>
            {server.enrolledAt && <Repair server={server} service={name} />}
          </li>
        ))}
        {services.length === 0 && absent.length === 0 && (
          <li>
            <Text c="dimmed" style={{ gridColumn: '1 / -1' }}>
              The agent has reported none yet.
            </Text>
          </li>
        )}
      </ul>
      {server.phpVersions.length > 0 && <AddPhp server={server} />}
      {server.notEnforced.length > 0 && (
        <Text c="dimmed" fz="xs" p="8px 14px" style={{ borderTop: '1px solid var(--ink-line)' }}>
          Not enforced here: {server.notEnforced.join(', ')}.
        </Text>
      )}
    </Section>
  )
}

/** Repairs a missing service; only services of the server's type can be repaired. */
function Repair({ server, service }: { server: ServerView; service: string }) {
  const lacks = useReason()(serversApi.repair)
  const wanted = serviceName.safeParse(service).data
  if (!wanted || !server.servicesWanted.includes(service)) return null
  return (
    <ActButton
      size="xs"
      variant="default"
      reason={lacks}
      aria-label={`Repair ${service}`}
      onClick={() => void repair(server, wanted)}
    >
      Repair
    </ActButton>
  )
}

/** PHP versions to offer; the installation shows whether the server has a package source. */
const offered = ['7.4', '8.1', '8.2', '8.3', '8.4', '8.5']

function AddPhp({ server }: { server: ServerView }) {
  const lacks = useReason()(serversApi.addPhp)
  const has = server.phpVersions
  return (
    <Group justify="space-between" p="8px 14px" style={{ borderTop: '1px solid var(--ink-line)' }}>
      <Text c="dimmed">Websites here can run on PHP {listed(has)}.</Text>
      <Menu position="bottom-end" disabled={lacks !== undefined}>
        <Menu.Target>
          <ActButton size="xs" variant="default" reason={lacks}>
            Install PHP…
          </ActButton>
        </Menu.Target>
        <Menu.Dropdown>
          {offered
            .filter((version) => !has.includes(version))
            .map((version) => (
              <Menu.Item key={version} onClick={() => void addPhp(server, version)}>
                PHP {version}
              </Menu.Item>
            ))}
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}
