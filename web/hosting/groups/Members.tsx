import type { GroupWithMembers } from '@innkeeper/contract/hosting/groups'
import type { WebsiteRow } from '@innkeeper/contract/hosting/websites'
import { ActionIcon, Badge, Button, Group, Text } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconStar, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormNotes } from '../../kit/form/FormNotes.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { seenState } from '../websites/SeenStatus.tsx'
import { groupsApi } from './api.ts'
import { moved } from './arrange.ts'
import css from './Members.module.css'
import { WebsitePicker } from './WebsitePicker.tsx'

/** Websites of a group in order; reordered here and saved as a whole. */
export function Members({ group }: { group: GroupWithMembers }) {
  const reason = useReason()(groupsApi.update)
  const [chosen, setChosen] = useState<readonly WebsiteRow[]>([])
  const form = useCallForm(groupsApi.update, {
    initial: { ids: group.items.map(({ id }) => id), mainWebsite: group.mainWebsite },
    fixed: { id: group.id, version: group.version },
    labels: { ids: 'Websites', mainWebsite: 'Main website' },
    valuesOf: ({ items }: GroupWithMembers) => ({ ids: items.map(({ id }) => id) }),
    onMerged: (_, { items }: GroupWithMembers) => setChosen((now) => [...now, ...items]),
    onDone: () => {
      void readAgain(['groups', 'websites'])
      toast.success('The group is saved')
    },
  })
  const { ids, mainWebsite: main } = form.values
  const known = new Map([...chosen, ...group.items].map((site) => [site.id, site]))
  const members = ids.flatMap((id) => known.get(Number(id)) ?? [])
  const arrange = (next: readonly WebsiteRow[]) =>
    form.set(
      'ids',
      next.map(({ id }) => id),
    )
  return (
    <Section
      title="Websites"
      hint="in the order in which they are worked on"
      pad={false}
      aside={
        form.dirty && (
          <Group gap={8} wrap="nowrap">
            <Button size="xs" variant="default" onClick={form.reset}>
              Undo
            </Button>
            <Button size="xs" loading={form.busy} onClick={() => void form.save()}>
              Save group
            </Button>
          </Group>
        )
      }
    >
      <FormNotes form={form} nothing="Nothing was saved." />
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
                  onClick={() => arrange(moved(members, i, -1))}
                />
                <Act
                  label={`Move ${site.domain} down`}
                  disabled={i === members.length - 1}
                  icon={<IconArrowDown size={15} />}
                  onClick={() => arrange(moved(members, i, 1))}
                />
                <Act
                  label={`Make ${site.domain} the main website`}
                  disabled={site.id === main}
                  icon={<IconStar size={15} />}
                  onClick={() => form.set('mainWebsite', site.id)}
                />
                <Act
                  label={`Take ${site.domain} out`}
                  disabled={site.id === main}
                  icon={<IconX size={15} />}
                  onClick={() => arrange(members.filter(({ id }) => id !== site.id))}
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
            without={ids.map(Number)}
            onChoose={(site) => {
              if (!site) return
              setChosen([...chosen, site])
              arrange([...members, site])
            }}
          />
        )}
        {form.dirty && <Text c="dimmed">Not saved yet.</Text>}
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
