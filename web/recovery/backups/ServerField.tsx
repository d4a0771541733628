import { PickOne } from '../../kit/form/PickOne.tsx'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { backupsApi } from './api.ts'

const ready = {
  query({ search, itemsPerPage }: { search: string; itemsPerPage: number }) {
    const { queryKey, queryFn } = backupsApi.servers.query({ search, itemsPerPage })
    return {
      queryKey: [...queryKey, 'picked'],
      queryFn: async (context: { signal: AbortSignal }) => ({ items: (await queryFn(context))[0] }),
    }
  },
}

interface Props {
  value: number | undefined
  valueName?: string | undefined
  onChange: (id: number | undefined) => void
  onBlur?: () => void
  error?: string | undefined
  required?: boolean
}

/** Chooses a backup server. */
export const BackupServerField = ({ value, valueName, onChange, onBlur, error, required }: Props) => (
  <PickOne
    label="Backup server"
    mono
    required={required}
    placeholder="Choose a backup server"
    none={
      <>
        There is no backup server yet.{' '}
        <LinkTo to="/backups/create-server" fz="inherit">
          Create one
        </LinkTo>
      </>
    }
    call={ready}
    nameOf={({ name }) => name}
    closed={({ status }) => (status === 'ready' ? undefined : `is ${status}`)}
    value={value ?? null}
    valueName={valueName}
    onChange={(id) => onChange(id ?? undefined)}
    onBlur={onBlur}
    error={error}
  />
)
