import type { TagsInputProps } from '@mantine/core'
import { lazyPart } from '../frame/lazyScreen.tsx'
import { WaitingInput } from './WaitingInput.tsx'

/** Mantine's TagsInput, whose code loads after the form. */
export const TagsInputField = lazyPart<TagsInputProps>(() => import('./LaterTagsInput.tsx'), WaitingInput)
