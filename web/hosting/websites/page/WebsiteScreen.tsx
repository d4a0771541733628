import type { Website } from '@innkeeper/contract/hosting/websites'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useReason } from '../../../kit/access/reasons.ts'
import { ApiError } from '../../../kit/api/client.ts'
import { LinkTo } from '../../../kit/frame/LinkTo.tsx'
import { numbered } from '../../../kit/frame/numbered.tsx'
import { Dot } from '../../../kit/frame/PageHeader.tsx'
import { PageMenu } from '../../../kit/frame/PageMenu.tsx'
import { PageTabs } from '../../../kit/frame/PageTabs.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { Split } from '../../../kit/frame/Section.tsx'
import { Together } from '../../../kit/frame/Together.tsx'
import { environmentWord } from '../../../kit/look/environments.ts'
import { Mono } from '../../../kit/look/Mono.tsx'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { useNow } from '../../../kit/look/useNow.ts'
import { useLastWorkflow } from '../../../machines/workflows/useLastWorkflow.ts'
import { WorkflowPane } from '../../../machines/workflows/WorkflowPane.tsx'
import { websitesApi } from '../api.ts'
import { seenState, seenText } from '../SeenStatus.tsx'
import { Gone, InTrash } from './SiteNotices.tsx'
import { isLive, type Tab, tabs } from './section.ts'
import { type ShownSection, sections } from './sections.tsx'
import { useSiteActs, WebsiteActs, WebsiteButtons } from './WebsiteActs.tsx'

export default numbered('id', WebsiteScreen)

/** Page of a website: sections by tab, actions and the running workflow. */
function WebsiteScreen({ id }: { id: number }) {
  const query = useQuery(websitesApi.one.query({ id }))
  const website = query.data
  // deleted while its page is open: keep the last data and show the deleting workflow
  const gone = query.error instanceof ApiError && query.error.status === 404
  const { begin, dialog } = useSiteActs()
  const shown = useSections(website, gone)
  const [tab, show] = useTab(shown)
  const titles = Object.fromEntries(
    Object.entries(tabs).filter(([value]) => shown.some((section) => section.tab === value)),
  )
  return (
    <Screen
      query={query}
      title={website?.domain ?? 'Website'}
      mono={website !== undefined}
      badge={website && <StatusBadge pill state={gone ? 'deleted' : seenState(website)} />}
      meta={website && <Meta website={website} />}
      actions={
        website &&
        !gone && (
          <>
            <WebsiteButtons website={website} begin={begin} />
            <PageMenu>
              <WebsiteActs website={website} begin={begin} />
            </PageMenu>
          </>
        )
      }
      tabs={<PageTabs of={titles} at={tab} show={show} />}
    >
      {website && gone && <Gone domain={website.domain} />}
      {website && !gone && !isLive(website) && <InTrash website={website} />}
      {website && (
        <Together key={`${website.id} ${tab}`}>
          <Shown website={website} sections={shown.filter((section) => section.tab === tab)} />
        </Together>
      )}
      {dialog}
    </Screen>
  )
}

/** Sections of the website that this person may see. */
function useSections(website: Website | undefined, gone: boolean): ShownSection[] {
  const lacking = useReason()
  if (!website) return []
  return sections.filter(
    ({ when = isLive, reads, stays }) => when(website) && (stays || !gone) && !(reads && lacking(reads)),
  )
}

/** The tab that the address names, or the overview if the website has no such tab. */
function useTab(shown: ShownSection[]): [Tab, (next: string | null) => void] {
  const { tab } = useSearch({ strict: false })
  const navigate = useNavigate()
  const found = shown.find((section) => section.tab === tab)
  return [
    found?.tab ?? 'overview',
    (next) => void navigate({ to: '.', search: next && next !== 'overview' ? { tab: next } : {} }),
  ]
}

function Shown({ website, sections }: { website: Website; sections: ShownSection[] }) {
  const workflow = useLastWorkflow('website', website.id)
  const shown = (some: ShownSection[]) => some.map(({ name, Section }) => <Section key={name} website={website} />)
  if (sections.every(({ wide }) => wide)) return shown(sections)
  const [beside, list] = [sections.filter(({ side }) => side), sections.filter(({ side }) => !side)]
  const pane = workflow && <WorkflowPane workflow={workflow} />
  const works = workflow?.endedAt === null
  // what works comes first; in one column, a finished workflow moves below the content of the tab
  return (
    <Split
      sideLast={!works}
      side={
        <>
          {works && pane}
          {shown(beside)}
          {!works && pane}
        </>
      }
    >
      {shown(list)}
    </Split>
  )
}

function Meta({ website }: { website: Website }) {
  const seen = seenText(website, useNow(10_000))
  return (
    <>
      {seen && (
        <>
          <Text>{seen}</Text>
          <Dot />
        </>
      )}
      <LinkTo to="/websites" search={{ userid: String(website.ownerId) }}>
        {website.ownerName}
      </LinkTo>
      <Dot />
      <LinkTo to="/server/$server" params={{ server: String(website.serverId) }}>
        <Mono>{website.serverName}</Mono>
      </LinkTo>
      <Dot />
      <Text>{website.planName}</Text>
      <Dot />
      <Text>PHP {website.phpVersion}</Text>
      <Dot />
      <Text>{environmentWord(website.environment)}</Text>
      <Dot />
      <Mono>#{website.id}</Mono>
    </>
  )
}
