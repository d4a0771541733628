import { Button, Kbd } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { Mono } from '../look/Mono.tsx'
import { kitWords } from '../look/texts.ts'
import { EmptyState } from './emptyStates.tsx'
import { LinkButton } from './LinkTo.tsx'
import { Screen } from './Screen.tsx'
import { openSearch } from './search.ts'
import { frameTexts } from './texts.ts'

export default function NotFound() {
  const { pathname } = useLocation()
  const words = frameTexts()
  return (
    <Screen bare title={words.noPage}>
      <EmptyState
        order={1}
        title={words.noPage}
        action={
          <>
            <LinkButton to="/" variant="default">
              {words.home}
            </LinkButton>
            <Button onClick={openSearch} rightSection={<Kbd visibleFrom="sm">Ctrl K</Kbd>}>
              {kitWords().search}
            </Button>
          </>
        }
      >
        {words.noPageAt} <Mono c="var(--mantine-color-text)">{pathname}</Mono>. {words.noPageWhy}
      </EmptyState>
    </Screen>
  )
}
