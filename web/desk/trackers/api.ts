import { files } from '@innkeeper/contract/desk/files'
import { bugs } from '@innkeeper/contract/desk/trackers/bugs'
import { features } from '@innkeeper/contract/desk/trackers/features'
import { internalTickets } from '@innkeeper/contract/desk/trackers/internalTickets'
import * as settings from '@innkeeper/contract/desk/trackers/settings'
import type { SettingKind, Tracker } from '@innkeeper/contract/desk/trackers/values'
import { bind, type Client } from '../../kit/api/client.ts'

export const bugsApi = bind('bugs', bugs)
export const featuresApi = bind('features', features)
export const ticketsApi = bind('internalTickets', internalTickets)

/** The calls that all trackers have. One contract factory makes them, so they differ in their paths only. */
export type ItemsApi = Pick<
  Client<typeof bugs>,
  keyof typeof bugs & keyof typeof features & keyof typeof internalTickets
>
const apis: Record<Tracker, ItemsApi> = {
  bug: bugsApi,
  feature: featuresApi as unknown as ItemsApi,
  ticket: ticketsApi as unknown as ItemsApi,
}
export const apiOf = (tracker: Tracker): ItemsApi => apis[tracker]

// the three calls differ in fields that only the form of their tracker shows
export const creators: Record<Tracker, typeof bugsApi.create> = {
  bug: bugsApi.create,
  feature: featuresApi.create as unknown as typeof bugsApi.create,
  ticket: ticketsApi.create as unknown as typeof bugsApi.create,
}

/** Name of the live hints of a tracker. */
export const hintOf: Record<Tracker, string> = { bug: 'bugs', feature: 'features', ticket: 'internalTickets' }

type SettingsApi = Client<typeof settings.bugStatuses>
/** Kinds of settings of a tracker, in the order of the screen. Bugs and feature requests share three of them. */
export const settingsApis: Record<Tracker, { kind: SettingKind; title: string; api: SettingsApi }[]> = {
  bug: [
    { kind: 'status', title: 'Statuses', api: bind('bugStatuses', settings.bugStatuses) },
    {
      kind: 'priority',
      title: 'Priorities',
      api: bind('bugPriorities', settings.bugPriorities) as unknown as SettingsApi,
    },
    {
      kind: 'component',
      title: 'Components',
      api: bind('bugComponents', settings.bugComponents) as unknown as SettingsApi,
    },
    { kind: 'folder', title: 'Folders', api: bind('bugFolders', settings.bugFolders) as unknown as SettingsApi },
    {
      kind: 'department',
      title: 'Departments',
      api: bind('bugDepartments', settings.bugDepartments) as unknown as SettingsApi,
    },
  ],
  feature: [
    {
      kind: 'status',
      title: 'Statuses',
      api: bind('featureStatuses', settings.featureStatuses) as unknown as SettingsApi,
    },
    {
      kind: 'priority',
      title: 'Priorities',
      api: bind('featurePriorities', settings.featurePriorities) as unknown as SettingsApi,
    },
  ],
  ticket: [
    {
      kind: 'status',
      title: 'Statuses',
      api: bind('ticketStatuses', settings.ticketStatuses) as unknown as SettingsApi,
    },
    {
      kind: 'priority',
      title: 'Priorities',
      api: bind('ticketPriorities', settings.ticketPriorities) as unknown as SettingsApi,
    },
    {
      kind: 'component',
      title: 'Components',
      api: bind('ticketComponents', settings.ticketComponents) as unknown as SettingsApi,
    },
  ],
}
export type { SettingsApi }

const { ticket: ticketCall } = bind('files', { ticket: files.ticket })

/** An address of the API that the browser opens itself. */
export async function openable(path: string, query = ''): Promise<string> {
  const address = `/api${path}`
  const { ticket } = await ticketCall({ path: address })
  return `${address}?${query ? `${query}&` : ''}ticket=${ticket}`
}
