import type { BackupServer, Repository } from '@innkeeper/contract/recovery/backups/shapes'
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useReason } from '../../kit/access/reasons.ts'
import { backupsApi } from './api.ts'

interface Chosen {
  server: BackupServer | undefined
  repositoryId: number | undefined
  repositories: Repository[]
}

/** Backup server and repository that a maintenance screen acts on; both are in the address. */
export function useChosen(): Chosen {
  const search = useSearch({ strict: false }) as Record<string, string | undefined> // search parameters are text
  const lacking = useReason()
  const { data: servers } = useQuery(backupsApi.servers.query({ itemsPerPage: 200 }))
  const server = servers?.[0].find(({ id }) => String(id) === search.backupServerId) ?? servers?.[0][0]
  const { data: repositories } = useQuery({
    ...backupsApi.repositories.query({ itemsPerPage: 200, ...(server && { backupServerId: [String(server.id)] }) }),
    enabled: server !== undefined && !lacking(backupsApi.repositories),
  })
  const all = repositories?.[0] ?? []
  return { server, repositories: all, repositoryId: all.find(({ id }) => String(id) === search.repositoryId)?.id }
}

export function RepositoryPicker({ chosen: { server, repositories, repositoryId } }: { chosen: Chosen }) {
  const navigate = useNavigate()
  const { data: servers } = useQuery(backupsApi.servers.query({ itemsPerPage: 200 }))
  const go = (search: Record<string, string>) => void navigate({ to: '.', search })
  return (
    <>
      <Select
        label="Backup server"
        allowDeselect={false}
        data={(servers?.[0] ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
        value={server ? String(server.id) : null}
        onChange={(id) => id && go({ backupServerId: id })}
      />
      <Select
        label="Repository"
        clearable
        placeholder="All of it"
        data={repositories.map(({ id, account, serverName }) => ({
          value: String(id),
          label: `${account}, ${serverName}`,
        }))}
        value={repositoryId === undefined ? null : String(repositoryId)}
        onChange={(id) => server && go({ backupServerId: String(server.id), ...(id && { repositoryId: id }) })}
      />
    </>
  )
}
