import { Combobox, Loader, Text, UnstyledButton, useCombobox } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useSession } from '../../kit/access/session.ts'
import { useFound } from '../../kit/form/useFound.ts'
import { nameOf } from '../../kit/frame/names.ts'
import type { Source } from '../../kit/frame/search.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { keepRecent, readRecent, recentFirst } from '../search/recent.ts'
import { useFrameTexts } from '../texts.ts'
import css from './Header.module.css'

interface Props {
  source: Source
  /** Name of the open object. */
  label: string
  mono?: boolean | undefined
}

/** The last crumb of an object's page: a menu with a search leads to the same page of another object. */
export function CrumbSwitch({ source, label, mono }: Props) {
  const box = useCombobox({
    onDropdownClose: () => box.resetSelectedOption(),
    onDropdownOpen: () => box.focusSearchInput(),
  })
  const [search, setSearch] = useState('')
  const typed = search.trim()
  const { history } = useRouter()
  const { id: me } = useSession()
  const words = useFrameTexts()
  const { rows, isLooking, error } = useFound(
    search,
    (text) => ({
      queryKey: ['switch', source.group, text],
      retry: false,
      queryFn: ({ signal }) => source.find(text, signal),
    }),
    {
      rowsOf: (all) => all,
      textOf: ({ label: name, description }) => `${name} ${description ?? ''}`,
      enabled: box.dropdownOpened,
    },
  )
  const recent = readRecent(localStorage, me).filter(({ group }) => group === source.group)
  const hits = (typed ? recentFirst(rows, recent) : distinct([...recent, ...rows])).filter((hit) => hit.label !== label)
  const { selectFirstOption } = box
  // Enter opens the first hit
  // biome-ignore lint/correctness/useExhaustiveDependencies: the hits come later than the letters
  useEffect(() => {
    if (typed && hits.length) selectFirstOption()
  }, [typed, hits[0]?.path])
  const go = (path: string) => {
    const hit = hits.find((one) => one.path === path)
    box.closeDropdown()
    if (!hit) return
    keepRecent(localStorage, me, { ...hit, group: source.group })
    history.push(hit.path)
  }
  const nothing = error?.message ?? (isLooking ? words.looking : words.noOther)
  return (
    <Combobox store={box} width={300} position="bottom-start" onOptionSubmit={go}>
      <Combobox.Target targetType="button" withAriaAttributes={false}>
        <UnstyledButton
          className={css.switch}
          aria-current="page"
          aria-haspopup="listbox"
          aria-expanded={box.dropdownOpened}
          title={words.switchTo(nameOf(source.group))}
          onClick={() => box.toggleDropdown()}
        >
          <Text span truncate ff={mono ? 'monospace' : undefined}>
            {label}
          </Text>
          <IconChevronDown size={14} aria-hidden />
        </UnstyledButton>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          aria-label={words.searchKind(nameOf(source.group))}
          placeholder={words.searchKind(nameOf(source.group))}
          value={search}
          rightSection={isLooking ? <Loader size={14} /> : undefined}
          onChange={(event) => {
            setSearch(event.currentTarget.value)
          }}
        />
        <Combobox.Options mah={320} style={{ overflowY: 'auto' }}>
          {hits.map((hit) => (
            <Combobox.Option key={hit.id} value={hit.path}>
              {hit.mono ? (
                <Mono display="block" truncate>
                  {hit.label}
                </Mono>
              ) : (
                hit.label
              )}
              {hit.description && (
                <Text c="dimmed" fz="xs" truncate>
                  {hit.description}
                </Text>
              )}
            </Combobox.Option>
          ))}
          {hits.length === 0 && <Combobox.Empty>{nothing}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

const distinct = <H extends { id: string }>(hits: readonly H[]): H[] => [
  ...new Map(hits.map((hit) => [hit.id, hit])).values(),
]
