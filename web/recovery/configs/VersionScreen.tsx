import type { ConfigVersionView } from '@innkeeper/contract/recovery/configs/shapes'
import { Text } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { lazyPart } from '../../kit/frame/lazyScreen.tsx'
import { numbered } from '../../kit/frame/numbered.tsx'
import { Dot } from '../../kit/frame/PageHeader.tsx'
import { PageMenu } from '../../kit/frame/PageMenu.tsx'
import { PageTabs, useTab } from '../../kit/frame/PageTabs.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { ago, counted } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { configsApi } from './api.ts'
import { Differences } from './Differences.tsx'
import { Files } from './Files.tsx'
import { VersionActs } from './VersionActs.tsx'
import { authorsOf, services } from './words.ts'

const ResetModal = lazyPart(
  () => import('./ResetModal.tsx'),
  () => null,
)

export default numbered('version', VersionScreen)

const tabs = { changes: 'Changes', files: 'Files' }

function VersionScreen({ id }: { id: number }) {
  const query = useQuery(configsApi.view.query({ id }))
  const version = query.data
  const lacking = useReason()
  const navigate = useNavigate()
  const [resets, setResets] = useState(false)
  const [tab, show] = useTab(tabs)
  const gone = version?.serverRemoved ? `${version.serverName} was removed.` : undefined
  return (
    <Screen
      query={query}
      title={version ? `${services[version.service]} of ${version.serverName}` : 'Configuration'}
      badge={version?.current && <StatusBadge pill state="active" label="Newest" />}
      meta={version && <Meta version={version} />}
      actions={
        version && (
          <>
            <ActButton
              leftSection={<IconHistory size={15} />}
              reason={lacking(configsApi.reset) ?? gone}
              onClick={() => setResets(true)}
            >
              Reset to this version
            </ActButton>
            <PageMenu>
              <VersionActs version={version} onRemoved={() => void navigate({ to: '/backups/config-resets' })} />
            </PageMenu>
          </>
        )
      }
      tabs={<PageTabs of={tabs} at={tab} show={show} />}
    >
      {version && tab === 'changes' && <Differences version={version} />}
      {version && tab === 'files' && <Files version={version} />}
      {version && resets && <ResetModal version={version} close={() => setResets(false)} />}
    </Screen>
  )
}

const Meta = ({ version: { number, collectedAt, by, files } }: { version: ConfigVersionView }) => (
  <>
    <Text>
      Version <Mono>{number}</Mono>
    </Text>
    <Dot />
    <Text>collected {ago(collectedAt)}</Text>
    <Dot />
    <Text>changed by {authorsOf(by).replace(/^[AU]/, (letter) => letter.toLowerCase())}</Text>
    <Dot />
    <Text>{counted(files, ['file', 'files'])}</Text>
  </>
)
