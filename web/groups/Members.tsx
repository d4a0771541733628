import type { GroupWithMembers } from '@innkeeper/contract/groups'
import type { WebsiteRow } from '@innkeeper/contract/websites'
import { ActionIcon, Badge, Button, Group, Text } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconStar, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useReason } from '../kit/access/reasons.ts'
import { attempt } from '../kit/api/attempt.ts'
import { toast } from '../kit/dialogs/toast.ts'
import { LinkTo } from '../kit/frame/LinkTo.tsx'
import { Section } from '../kit/frame/Section.tsx'
import { ActButton } from '../kit/look/ActButton.tsx'
import { Mono } from '../kit/look/Mono.tsx'
import { StatusBadge } from '../kit/look/StatusBadge.tsx'
import { useAct } from '../kit/look/useAct.ts'
import { seenState } from '../websites/SeenStatus.tsx'
import { groupsApi } from './api.ts'
import { moved } from './arrange.ts'
import css from './Members.module.css'
import { WebsitePicker } from './WebsitePicker.tsx'

/** Websites of a group in order; reordered here and saved as a whole. */
export function Members({ group }: { group: GroupWithMembers }) {
  const reason = useReason()(groupsApi.update)
  const [members, setMembers] = useState<readonly WebsiteRow[]>(group.items)
  const [main, setMain] = useState(group.mainWebsite)
  const { busy, run } = useAct()
  const ids = members.map(({ id }) => id)
  const changed = main !== group.mainWebsite || ids.join() !== group.items.map(({ id }) => id).join()
  const undo = () => {
    setMembers(group.items)
    setMain(group.mainWebsite)
  }
  const save = () =>
    run(async () => {
      const { id, version } = group
      const done = await attempt(
        () => groupsApi.update({ id, ids, mainWebsite: main, version }),
        ['groups', 'websites'],
      )
      if (done) toast.success('The group is saved')
    })
  return (
    <Section
      title="Websites"
      hint="in the order in which they are worked on"
      pad={false}
      aside={
        changed && (
          <Group gap={8} wrap="nowrap">
            <Button size="xs" variant="default" onClick={undo}>
              Undo
            </Button>
            <Button size="xs" loading={busy} onClick={() => void save()}>
              Save group
            </Button>
          </Group>
        )
      }
    >
      <ol className={css.members}>
        {members.map((site, i) => (
          <li key={site.id} className={css.member}>
            <div className={css.name}>
              <LinkTo to="/websites/$id" params={{ id: String(site.id) }} c="inherit" truncate>
                <Mono>{site.domain}</Mono>
              </LinkTo>
              {site.id === main && <Badge color="primary">Main</Badge>}
            </div>
            <Mono c="dimmed" className={css.wide}>
              {site.serverName}
            </Mono>
            <StatusBadge state={seenState(site)} />
            {!reason && (
              <Group gap={2} wrap="nowrap">
                <Act
                  label={`Move ${site.domain} up`}
                  disabled={i === 0}
                  icon={<IconArrowUp size={15} />}
                  onClick={() => setMembers(moved(members, i, -1))}
                />
                <Act
                  label={`Move ${site.domain} down`}
                  disabled={i === members.length - 1}
                  icon={<IconArrowDown size={15} />}
                  onClick={() => setMembers(moved(members, i, 1))}
                />
                <Act
                  label={`Make ${site.domain} the main website`}
                  disabled={site.id === main}
                  icon={<IconStar size={15} />}
                  onClick={() => setMain(site.id)}
                />
                <Act
                  label={`Take ${site.domain} out`}
                  disabled={site.id === main}
                  icon={<IconX size={15} />}
                  onClick={() => setMembers(members.filter(({ id }) => id !== site.id))}
                />
              </Group>
            )}
          </li>
        ))}
      </ol>
      <div className={css.foot}>
        {reason ? (
          <ActButton size="xs" variant="default" reason={reason}>
            Arrange
          </ActButton>
        ) : (
          <WebsitePicker
            // resets the field after each choice
            key={members.length}
            label="Add a website"
            description={`A website of ${group.ownerName} that is in no other group`}
            ownerId={group.ownerId}
            without={ids}
            onChoose={(site) => site && setMembers([...members, site])}
          />
        )}
        {changed && <Text c="dimmed">Not saved yet.</Text>}
      </div>
    </Section>
  )
}

interface ActProps {
  label: string
  icon: React.ReactNode
  disabled: boolean
  onClick: () => void
}
const Act = ({ label, icon, disabled, onClick }: ActProps) => (
  <ActionIcon variant="subtle" color="secondary" aria-label={label} title={label} disabled={disabled} onClick={onClick}>
    {icon}
  </ActionIcon>
)
