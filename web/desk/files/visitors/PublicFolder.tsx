import { Anchor, Button, Text } from '@mantine/core'
import { IconDownload, IconFolder } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useSession } from '../../../kit/access/session.ts'
import { ApiError } from '../../../kit/api/client.ts'
import { loginAddress } from '../../../kit/frame/address.ts'
import { EmptyState } from '../../../kit/frame/emptyStates.tsx'
import { LinkButton, LinkTo } from '../../../kit/frame/LinkTo.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { FilterBar } from '../../../kit/list/FilterBar.tsx'
import { ListFooter } from '../../../kit/list/ListFooter.tsx'
import { useList } from '../../../kit/list/useList.ts'
import { bytes, longDay } from '../../../kit/look/format.ts'
import { filesApi } from '../api.ts'
import css from '../Files.module.css'
import { Crumbs } from '../folders/Crumbs.tsx'
import { useFolderId } from '../folders/useFolderId.ts'
import { KindIcon } from '../words.tsx'

/** Public part of a folder, for visitors. */
export function PublicFolder() {
  const folderId = useFolderId()
  const at = folderId === null ? {} : { folderId }
  const place = useQuery(filesApi.publicFolder.query({ ...at, itemsPerPage: 1 }))
  const list = useList<typeof filesApi.publicFolder.endpoint, Row>(filesApi.publicFolder, {
    filters: ['search'],
    fixed: at,
  })
  if (place.error instanceof ApiError && place.error.status === 404) return <NotPublic />
  const folders = place.data?.folders ?? []
  const nothing = !list.loading && list.rows.length === 0
  return (
    <Screen
      scroll={false}
      title={folderId === null ? 'Public files' : (place.data?.name ?? 'Public files')}
      query={place}
      meta={folderId !== null && <Crumbs parents={place.data?.parents ?? []} top="Public files" />}
    >
      <FilterBar list={list} filters={[]} search={{ key: 'search', placeholder: 'Name' }} />
      <ul className={css.plain} aria-label="Folders and files">
        {list.page === 1 &&
          !list.filters.search?.length &&
          folders.map(({ id, name }) => (
            <li key={`folder ${id}`}>
              <LinkTo
                to="/files-manager/$folderId"
                params={{ folderId: String(id) }}
                c="inherit"
                className={css.name}
                fw={450}
              >
                <IconFolder size={18} stroke={1.5} aria-hidden /> {name}
              </LinkTo>
            </li>
          ))}
        {list.rows.map(({ id, name, path, kind, size, createdAt }) => (
          <li key={id}>
            <Anchor
              href={`/api/internal-file-manager/public/${path}`}
              download={name}
              c="inherit"
              className={css.name}
              fw={450}
              style={{ minWidth: 0 }}
            >
              <KindIcon kind={kind} />
              <Text span truncate>
                {name}
              </Text>
              <IconDownload size={14} color="var(--ink-faint)" style={{ flex: 'none' }} aria-label="download" />
            </Anchor>
            <Text c="dimmed" fz="xs" className="num" style={{ whiteSpace: 'nowrap' }}>
              {bytes(size)} · {longDay(createdAt)}
            </Text>
          </li>
        ))}
      </ul>
      {nothing && folders.length === 0 && (
        <EmptyState title="Nothing is public here" tag="FM">
          Staff sign in to see what is shared with them.
        </EmptyState>
      )}
      {!nothing && <ListFooter list={list} noun={['file', 'files']} selected={0} clear={() => {}} />}
    </Screen>
  )
}

/** The same text for missing and private folders, so that visitors cannot detect private ones. */
function NotPublic() {
  const { jwt } = useSession()
  const { pathname } = useLocation()
  return (
    <EmptyState
      title="This folder is not public"
      tag="FM"
      order={1}
      action={
        <>
          <LinkButton to="/files-manager" variant="default">
            Public files
          </LinkButton>
          {!jwt && (
            <Button component="a" href={loginAddress(pathname)}>
              Sign in
            </Button>
          )}
        </>
      }
    >
      It may be deleted, or open to staff only.
    </EmptyState>
  )
}

type Row = Awaited<ReturnType<typeof filesApi.publicFolder>>['items'][number]
