import { Button, Kbd } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { LinkButton } from '../kit/LinkTo.tsx'
import { Mono } from '../kit/Mono.tsx'
import { Screen } from '../kit/Screen.tsx'
import { EmptyState } from '../kit/states.tsx'
import { openSearch } from '../shell/search.ts'

export default function NotFound() {
  const { pathname } = useLocation()
  return (
    <Screen bare>
      <EmptyState
        order={1}
        title="Page not found"
        action={
          <>
            <LinkButton to="/" variant="default">
              Back to home
            </LinkButton>
            <Button onClick={openSearch} rightSection={<Kbd visibleFrom="sm">Ctrl K</Kbd>}>
              Search
            </Button>
          </>
        }
      >
        Nothing hangs at <Mono c="var(--mantine-color-text)">{pathname}</Mono>. It may have been deleted, or the link
        lost a piece.
      </EmptyState>
    </Screen>
  )
}
