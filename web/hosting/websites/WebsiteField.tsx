import { PickOne } from '../../kit/form/PickOne.tsx'
import { websitesApi } from './api.ts'

/** List call of websites in the shape that PickOne reads. */
const byDomain = {
  query({ search, itemsPerPage }: { search: string; itemsPerPage: number }) {
    const { queryKey, queryFn } = websitesApi.list.query({
      domain: search,
      sort: 'domain',
      kind: ['main', 'sub', 'staging'],
      itemsPerPage,
    })
    return {
      queryKey: [...queryKey, 'picked'],
      queryFn: async (context: { signal: AbortSignal }) => ({ items: (await queryFn(context)).Websites }),
    }
  },
}

interface Props {
  value: number | undefined
  valueName?: string | undefined
  onChange: (id: number | undefined) => void
  onBlur?: () => void
  error?: string | undefined
}

/** Chooses a website by its domain. */
export const WebsiteField = ({ value, valueName, onChange, onBlur, error }: Props) => (
  <PickOne
    label="Website"
    mono
    placeholder="Domain"
    none="There is no website yet."
    required
    call={byDomain}
    nameOf={({ domain }) => domain}
    hint={({ serverName, status }) => (status === 'active' ? serverName : `${serverName}, ${status}`)}
    closed={({ status }) => (status === 'active' || status === 'suspended' ? undefined : `is ${status}`)}
    value={value ?? null}
    valueName={valueName}
    onChange={(id) => onChange(id ?? undefined)}
    onBlur={onBlur}
    error={error}
  />
)
