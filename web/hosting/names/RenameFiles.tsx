import type { NamedFile } from '@innkeeper/contract/hosting/names/shapes'
import type { WebsiteRow } from '@innkeeper/contract/hosting/websites'
import { Button, Checkbox, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Section } from '../../kit/frame/Section.tsx'
import { count, counted } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { namesApi } from './api.ts'
import css from './Names.module.css'
import type { Rename } from './useRename.ts'

/** Files that contain the old name, line by line. Only selected files are changed. */
export function RenameFiles({ website, rename }: { website: WebsiteRow; rename: Rename }) {
  const { wanted, set, plan } = rename
  const query = useQuery({
    ...namesApi.renameFiles.query({ id: website.id, newDomain: wanted.newDomain }),
    retry: false,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  })
  const { data, error } = query
  const files = data?.files ?? []
  const isNetwork = Boolean(plan?.network)
  // a network of WordPress also has its name in wp-config.php
  useEffect(() => {
    if (isNetwork && data) set({ files: data.files.filter(isConfig).map(({ within, sha256 }) => ({ within, sha256 })) })
  }, [isNetwork, data, set])
  const isChosen = ({ within }: NamedFile) => wanted.files.some((file) => file.within === within)
  const toggle = (file: NamedFile) =>
    set({
      files: isChosen(file)
        ? wanted.files.filter(({ within }) => within !== file.within)
        : [...wanted.files, { within: file.within, sha256: file.sha256 }],
    })
  return (
    <Section
      title="Files that contain the old name"
      hint={data && `${counted(files.length, ['file', 'files'])} of ${count(data.searched)} searched`}
      pad={false}
      aside={
        files.length > 0 && (
          <Button
            variant="subtle"
            size="xs"
            color="secondary"
            onClick={() =>
              set({ files: wanted.files.length ? [] : files.map(({ within, sha256 }) => ({ within, sha256 })) })
            }
          >
            {wanted.files.length ? 'Choose none' : 'Choose all'}
          </Button>
        )
      }
    >
      {!data && !error && (
        <Text c="dimmed" p={14}>
          {website.serverName} is looking…
        </Text>
      )}
      {error && (
        <Stack p={14} gap={8} align="flex-start">
          <Text>{error.message}</Text>
          <Text c="dimmed">The website can be renamed without it; its files stay unchanged.</Text>
          <Button size="xs" variant="default" onClick={() => void query.refetch()}>
            Look again
          </Button>
        </Stack>
      )}
      {data && files.length === 0 && (
        <Text c="dimmed" p={14}>
          No configuration file contains {website.domain}.
        </Text>
      )}
      {files.map((file) => (
        <File key={file.within} file={file} chosen={isChosen(file)} toggle={() => toggle(file)} />
      ))}
      {data?.more && (
        <Text c="dimmed" p={14}>
          Not every file could be searched: more files may contain it.
        </Text>
      )}
    </Section>
  )
}

const isConfig = ({ within }: NamedFile) => within.split('/').at(-1) === 'wp-config.php'

const File = ({ file, chosen, toggle }: { file: NamedFile; chosen: boolean; toggle: () => void }) => (
  <div className={css.file}>
    <Checkbox
      checked={chosen}
      onChange={toggle}
      label={
        <>
          <Mono fw={450}>{file.within}</Mono>{' '}
          <Text span c="dimmed" fz="xs">
            {counted(file.count, ['place', 'places'])}
          </Text>
        </>
      }
    />
    <div className={css.diff}>
      {file.lines.map(({ line, before, after }) => (
        <div key={line}>
          <del>
            {line} − {before}
          </del>
          <ins>
            {line} + {after}
          </ins>
        </div>
      ))}
      {file.count > file.lines.length && (
        <Text c="dimmed" fz="xs">
          …
        </Text>
      )}
    </div>
  </div>
)
