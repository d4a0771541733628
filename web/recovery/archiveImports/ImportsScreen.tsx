import { importStatuses } from '@innkeeper/contract/recovery/archiveImports/shapes'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { lazyPart } from '../../kit/frame/lazyScreen.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { useList } from '../../kit/list/useList.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { stateOf } from '../../kit/look/stateWords.ts'
import { removeImport, whyStays } from './acts.ts'
import { archiveImportsApi } from './api.ts'
import { columns, ImportCard } from './columns.tsx'
import { fileOf } from './words.ts'

const NewImport = lazyPart(
  () => import('./NewImport.tsx'),
  () => null,
)
const filters = [
  {
    key: 'status',
    label: 'Status',
    options: importStatuses.map((value) => ({ value, label: stateOf(value).word })),
  },
]

/** Archives of other hosting panels, and what became of them. */
export default function ImportsScreen() {
  const list = useList(archiveImportsApi.list, { filters: ['search', 'status', 'server'] })
  const lacking = useReason()
  const [adding, setAdding] = useState(false)
  return (
    <Screen
      scroll={false}
      count={listCount(list)}
      actions={
        <ActButton
          leftSection={<IconPlus size={15} />}
          reason={lacking(archiveImportsApi.look)}
          onClick={() => setAdding(true)}
        >
          Look at archive
        </ActButton>
      }
    >
      <ListTable
        name="archive-imports"
        noun={['import', 'imports']}
        list={list}
        columns={columns}
        card={(one) => <ImportCard one={one} />}
        label={fileOf}
        menu={(one) => (
          <MenuAction
            label="Delete…"
            icon={<IconTrash size={15} />}
            danger
            reason={lacking(archiveImportsApi.remove) ?? whyStays(one)}
            onClick={() => void removeImport(one)}
          />
        )}
        search={{ key: 'search', placeholder: 'Name of the archive' }}
        filters={filters}
        empty={{
          title: 'No archive was looked at yet',
          text: 'Websites of HestiaCP, Vesta, cPanel, ISPConfig or a plain folder come with their files, databases, mail and zones. A look at an archive changes nothing.',
          tag: 'IM',
        }}
      />
      {adding && <NewImport close={() => setAdding(false)} />}
    </Screen>
  )
}
