import type { Group } from '@innkeeper/contract/hosting/groups'
import { Menu, Text } from '@mantine/core'
import { IconHistory, IconTrash, IconTruck, IconUserShare } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { succeeds } from '../../kit/api/attempt.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { lazyPart } from '../../kit/frame/lazyScreen.tsx'
import { counted } from '../../kit/look/format.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { movesApi } from '../moves/api.ts'
import { OwnerField } from '../owners/OwnerField.tsx'
import { groupsApi } from './api.ts'

const MoveGroup = lazyPart(
  () => import('../moves/groups/MoveGroup.tsx'),
  () => null,
)

interface Props {
  group: Group
  onRemoved?: () => void
}

/** Actions on a group, for the menus of its row and page. */
export function GroupActs({ group, onRemoved }: Props) {
  const lacking = useReason()
  const navigate = useNavigate()
  const [giving, setGiving] = useState(false)
  const [moving, setMoving] = useState(false)
  return (
    <>
      <MenuAction
        label="Change owner…"
        icon={<IconUserShare size={15} />}
        reason={lacking(groupsApi.owner)}
        onClick={() => setGiving(true)}
      />
      <MenuAction
        label="Move group…"
        icon={<IconTruck size={15} />}
        reason={lacking(movesApi.group) ?? lacking(movesApi.preflight)}
        onClick={() => setMoving(true)}
      />
      <MenuAction
        label="Its moves"
        icon={<IconHistory size={15} />}
        reason={lacking(movesApi.ofGroup)}
        onClick={() => void navigate({ to: '/website-migrations/groups/$id', params: { id: String(group.id) } })}
      />
      <Menu.Divider />
      <MenuAction
        label="Dissolve…"
        danger
        icon={<IconTrash size={15} />}
        reason={lacking(groupsApi.remove)}
        onClick={() => void dissolve(group).then((done) => done && onRemoved?.())}
      />
      {moving && <MoveGroup group={group} close={() => setMoving(false)} />}
      {giving && <ChangeOwner group={group} close={() => setGiving(false)} />}
    </>
  )
}

function ChangeOwner({ group, close }: { group: Group; close: () => void }) {
  const form = useCallForm(groupsApi.owner, {
    initial: { newOwner: undefined as number | undefined, version: group.version },
    fixed: { id: group.id },
    labels: { newOwner: 'Owner' },
    onDone: ({ ownerName }) => {
      void readAgain(['groups', 'websites', 'systemUsers', 'owners'])
      toast.success(`The group of ${group.mainDomain} belongs to ${ownerName}`)
      close()
    },
  })
  const { required: _, ...owner } = form.field('newOwner')
  return (
    <FormModal
      opened
      close={close}
      title={`New owner of ${counted(group.websites, ['website', 'websites'])}`}
      save="Change owner"
      form={form}
      nothing="Nothing was changed."
    >
      <OwnerField {...owner} />
      <Text c="dimmed" fz="xs" mt={10}>
        FTP users, SFTP keys and passwords stay valid. Change those that the former owner knows.
      </Text>
    </FormModal>
  )
}

/** Returns whether the group was dissolved. */
async function dissolve({ id, mainDomain, websites, version }: Group): Promise<boolean> {
  const sure = await confirm({
    title: `Dissolve the group of ${mainDomain}?`,
    text: `${counted(websites, ['website is', 'websites are'])} in no group afterwards. Nothing changes on servers.`,
    verb: 'Dissolve group',
    danger: true,
  })
  if (!sure) return false
  const done = await succeeds(() => groupsApi.remove({ id, version }), ['groups', 'websites'])
  if (done) toast.success(`The group of ${mainDomain} is dissolved`)
  return done === true
}
