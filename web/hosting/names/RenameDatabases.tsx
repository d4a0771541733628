import type { WebsiteRow } from '@innkeeper/contract/hosting/websites'
import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../kit/access/reasons.ts'
import { Section } from '../../kit/frame/Section.tsx'
import { databasesApi } from '../databases/api.ts'
import type { Rename } from './useRename.ts'

/** Whether the new name replaces the old one in the databases, too. */
export function RenameDatabases({ website: { id, domain }, rename }: { website: WebsiteRow; rename: Rename }) {
  const { wanted, set, plan, problems } = rename
  const isNetwork = Boolean(plan?.network)
  const lacking = useReason()
  const unseen = lacking(databasesApi.ofWebsite)
  const { data } = useQuery({ ...databasesApi.ofWebsite.query({ id }), enabled: !unseen })
  const reason =
    lacking(databasesApi.replace) ?? unseen ?? (data?.total === 0 ? `${domain} has no database.` : undefined)
  return (
    <Section title="Databases">
      <Checkbox
        label={`Replace ${domain} by ${wanted.newDomain} in its databases`}
        description={
          reason ??
          (isNetwork ? 'A network of WordPress answers only under the names in its tables. ' : '') +
            'Also in serialized data of PHP and in JSON, not in mail addresses. The former values are kept and can be put back. Under Databases of the website a search shows what would change.'
        }
        error={problems.databases}
        disabled={Boolean(reason) || isNetwork}
        checked={wanted.databases || isNetwork}
        onChange={({ currentTarget }) => set({ databases: currentTarget.checked })}
      />
    </Section>
  )
}
