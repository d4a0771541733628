import type { DossierUser } from '@innkeeper/contract/quality/dossiers/shapes'
import { Menu } from '@mantine/core'
import { IconMessage, IconPencil, IconTrash, IconUser } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { LinkButton } from '../../../kit/frame/LinkTo.tsx'
import { lazyDialog } from '../../../kit/frame/lazyScreen.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { CreateButton } from '../../../kit/list/CreateButton.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { listCount } from '../../../kit/list/listCount.ts'
import { useList } from '../../../kit/list/useList.ts'
import { MenuAction } from '../../../kit/look/MenuAction.tsx'
import { feedbackApi, peopleApi, positionsApi, teamsApi } from '../api.ts'
import { ClosedActs } from './ClosedActs.tsx'
import { closeDossier } from './closeDossier.ts'
import { columnsTo, DossierCard } from './columns.tsx'

const EraseModal = lazyDialog(() => import('./EraseModal.tsx'))

/** Staff with a dossier. The two lists differ in the page that a row opens. */
export function DossierList({ base }: { base: '/dossiers' | '/qc/dossiers' }) {
  const list = useList(peopleApi.users, { filters: ['search', 'teamId', 'positionId', 'withGone', 'isClosed'] })
  const showsClosed = Boolean(list.filters.isClosed?.length) // a closed dossier has no page
  const [erased, erase] = useState<DossierUser>()
  const create = (
    <CreateButton call={peopleApi.createUser} to="/dossiers/add">
      Add dossier
    </CreateButton>
  )
  return (
    <Screen
      scroll={false}
      count={listCount(list)}
      actions={
        <>
          <LinkButton to="/dossiers/mine" variant="default">
            Said of me
          </LinkButton>
          {create}
        </>
      }
    >
      <ListTable
        name="dossiers"
        noun={['dossier', 'dossiers']}
        list={list}
        columns={columnsTo(base)}
        card={(dossier) => <DossierCard dossier={dossier} />}
        label={({ name }) => name}
        {...(!showsClosed && { open: ({ id }: DossierUser) => `${base}/${id}` })}
        menu={(dossier) =>
          dossier.closedAt ? <ClosedActs dossier={dossier} erase={erase} /> : <Acts dossier={dossier} />
        }
        search={{ key: 'search', placeholder: 'Name' }}
        filters={[
          { key: 'teamId', label: 'Team', options: [], call: teamsApi.teams },
          { key: 'positionId', label: 'Position', options: [], call: positionsApi.positions },
          {
            ...{ key: 'withGone', label: 'Deleted accounts', single: true },
            options: [{ value: 'true', label: 'Also shown' }],
          },
          {
            ...{ key: 'isClosed', label: 'Closed dossiers', single: true },
            options: [{ value: 'true', label: 'Shown instead' }],
          },
        ]}
        empty={{
          title: 'No dossier yet',
          text: 'A dossier keeps feedback, comments, reviews and teams of a staff member in one place.',
          action: create,
          tag: 'DO',
        }}
      />
      {erased && <EraseModal person={erased} close={() => erase(undefined)} />}
    </Screen>
  )
}

function Acts({ dossier }: { dossier: DossierUser }) {
  const { id } = dossier
  const lacking = useReason()
  const navigate = useNavigate()
  return (
    <>
      <MenuAction label="Open" icon={<IconUser size={15} />} onClick={() => void navigate({ to: `/dossiers/${id}` })} />
      <MenuAction
        label="Write feedback"
        icon={<IconMessage size={15} />}
        reason={lacking(feedbackApi.createFeedback)}
        onClick={() => void navigate({ to: `/dossiers/${id}/feedbacks/create` })}
      />
      <MenuAction
        label="Change"
        icon={<IconPencil size={15} />}
        reason={lacking(peopleApi.updateUser)}
        onClick={() => void navigate({ to: `/dossiers/${id}/update` })}
      />
      <Menu.Divider />
      <MenuAction
        label="Close…"
        danger
        icon={<IconTrash size={15} />}
        reason={lacking(peopleApi.removeUser)}
        onClick={() => void closeDossier(dossier)}
      />
    </>
  )
}
