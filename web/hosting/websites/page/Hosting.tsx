import type { Website } from '@innkeeper/contract/hosting/websites'
import { Badge, Group, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../../kit/access/reasons.ts'
import { Facts, Section } from '../../../kit/frame/Section.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { moment } from '../../../kit/look/format.ts'
import { Mono } from '../../../kit/look/Mono.tsx'
import { serversApi } from '../../../machines/servers/api.ts'
import { plansApi } from '../../plans/api.ts'
import { inWords } from '../../plans/limits.ts'
import { websitesApi } from '../api.ts'
import { switchesOf } from '../words.ts'
import { movePhp, notSwitchable } from './switching.ts'

/** Server, account, plan and PHP version of a website. */
export function Hosting({ website }: { website: Website }) {
  const { documentRoot, username, toggles, kind, createdAt, updatedAt } = website
  return (
    <Section title="Hosting">
      <Facts
        of={[
          ['Document root', <Mono key="root">{documentRoot}</Mono>],
          ['System user', <Mono key="user">{username}</Mono>],
          ['PHP', <Php key="php" website={website} />],
          ['Plan', <PlanInWords key="plan" website={website} />],
          ['Kind', <span key="kind">{kind.slice(0, 1).toUpperCase() + kind.slice(1)} website</span>],
          [
            'Switches',
            <Group key="switches" gap={6}>
              {switchesOf(toggles).map(({ name, on }) => (
                <Badge key={name} color={on ? 'success' : 'secondary'}>
                  {on ? name : `${name} off`}
                </Badge>
              ))}
            </Group>,
          ],
          ['Created', moment(createdAt)],
          ['Changed', moment(updatedAt)],
        ]}
      />
    </Section>
  )
}

/** The PHP version, and the other versions of the server if the person may see servers. */
function Php({ website }: { website: Website }) {
  const lacking = useReason()
  const { serverId, phpVersion, status } = website
  const { data, isLoading } = useQuery({
    ...serversApi.view.query({ id: serverId }),
    enabled: !lacking(serversApi.view) && status !== 'deleted',
  })
  const others = data?.phpVersions.filter((one) => one !== phpVersion) ?? []
  return (
    <Group gap={8}>
      <Text span>{phpVersion}</Text>
      {isLoading && <Skeleton w={90} h={12} />}
      {others.map((one) => (
        <ActButton
          key={one}
          size="xs"
          variant="default"
          reason={lacking(websitesApi.php) ?? notSwitchable(website)}
          onClick={() => void movePhp(website, one)}
        >
          Move to {one}…
        </ActButton>
      ))}
    </Group>
  )
}

/** The plan, with its limits if the person may see plans. */
function PlanInWords({ website: { planId, planName } }: { website: Website }) {
  const lacks = useReason()(plansApi.one)
  const { data, isLoading } = useQuery({ ...plansApi.one.query({ id: planId }), enabled: !lacks })
  return (
    <Text span>
      {planName}
      {data && `: ${inWords(data)}`}
      {isLoading && <Skeleton component="span" display="inline-block" w={180} h={12} ml={8} />}
    </Text>
  )
}
