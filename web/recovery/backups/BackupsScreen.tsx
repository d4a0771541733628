import { useWebsiteChoice } from '../../hosting/websites/useWebsiteChoice.ts'
import { Screen } from '../../kit/frame/Screen.tsx'
import { Together } from '../../kit/frame/Together.tsx'
import { CreateButton } from '../../kit/list/CreateButton.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { useList } from '../../kit/list/useList.ts'
import { backupsApi } from './api.ts'
import { BackupActs } from './BackupActs.tsx'
import { BackupCard, columns } from './columns.tsx'
import { Overview } from './Overview.tsx'
import { kinds, runs } from './words.ts'

export default function BackupsScreen() {
  const website = useWebsiteChoice('websiteId')
  const list = useList(backupsApi.list, {
    filters: ['search', 'status', 'kind', 'mode', 'proven', 'websiteId', 'repositoryId'],
  })
  const create = (
    <CreateButton call={['backup:backup:create', 'backup:schedule:create']} to="/backups/create">
      Create backup
    </CreateButton>
  )
  return (
    <Screen scroll={false} count={listCount(list)} actions={create}>
      <Together gutter>
        <Overview />
        <ListTable
          name="backups"
          noun={['backup', 'backups']}
          list={list}
          columns={columns}
          card={(backup) => <BackupCard backup={backup} />}
          label={({ domain }) => domain}
          open={({ id }) => `/backups/${id}/details`}
          menu={(backup) => <BackupActs backup={backup} />}
          search={{ key: 'search', placeholder: 'Website' }}
          filters={[
            ...website,
            { key: 'status', label: 'Status', options: runs },
            { key: 'kind', label: 'Contents', options: kinds },
            {
              key: 'mode',
              label: 'Begun',
              options: [
                { value: 'instant', label: 'By hand' },
                { value: 'scheduled', label: 'By schedule' },
              ],
            },
            {
              key: 'proven',
              label: 'Proven',
              options: [
                { value: 'true', label: 'Restored as a test' },
                { value: 'false', label: 'Not proven' },
              ],
            },
          ]}
          empty={{
            title: 'No backup yet',
            text: 'A backup contains the files of a website and a dump of its databases. A restore in place keeps the former content in the trash.',
            action: create,
            tag: 'BK',
          }}
        />
      </Together>
    </Screen>
  )
}
