import type { Output } from '@innkeeper/contract/kit/endpoint'
import type { vhosts } from '@innkeeper/contract/net/vhosts/calls'
import { Alert } from '@mantine/core'
import { FileDiffs } from '../../../kit/look/FileDiffs.tsx'

type Found = Pick<Output<typeof vhosts.diff>, 'differing' | 'silent'>

/** The differences on edges, and the edges that did not answer. */
export const EdgeDiffs = ({ found: { differing, silent }, none }: { found: Found; none: string }) => (
  <>
    {silent.map(({ serverName, reason }) => (
      <Alert key={serverName} color="warning" p="10px 14px" title={`${serverName} could not be asked`}>
        {reason}
      </Alert>
    ))}
    <FileDiffs
      files={differing.map(({ domain, serverName, ...file }) => ({ ...file, where: `${domain} on ${serverName}` }))}
      none={none}
    />
  </>
)
