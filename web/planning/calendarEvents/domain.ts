import { type Domain, group, item, screen } from '../../domain.ts'

export const calendarEvents = {
  screens: [
    screen(
      '/calendar/events',
      { scope: 'calendar:event:read', title: 'Events' },
      () => import('./calendar/EventsScreen.tsx'),
    ),
    screen(
      '/calendar/events/manage',
      { scope: 'calendar:event:read', title: 'Manage events' },
      () => import('./ManageScreen.tsx'),
    ),
    screen(
      '/calendar/events/event',
      { scope: 'calendar:event:create', title: 'Add event', about: ['from', 'to'] },
      () => import('./events/EventCreateScreen.tsx'),
    ),
    screen(
      '/calendar/events/event/$eventId',
      { scope: 'calendar:event:update', needs: 'calendar:event:read', title: 'Event' },
      () => import('./events/EventScreen.tsx'),
    ),
    screen(
      '/calendar/events/event/$eventId/attendant',
      { scope: 'calendar:attendant:read', needs: 'calendar:event:read', title: 'Attendants' },
      () => import('./events/AttendantsScreen.tsx'),
    ),
    screen(
      '/calendar/events/event/$eventId/singup',
      { scope: 'calendar:event:read', title: 'Sign up' },
      () => import('./events/SignUpScreen.tsx'),
    ),
    screen(
      '/calendar/events/event/$eventId/signup',
      { scope: 'calendar:event:read', title: 'Sign up' },
      () => import('./events/SignUpScreen.tsx'),
    ),
    screen(
      '/calendar/events/national-event',
      { scope: 'calendar:national-event:create', needs: 'calendar:national-event:read', title: 'Add national event' },
      () => import('./nationals/NationalCreateScreen.tsx'),
    ),
    screen(
      '/calendar/events/national-event/$eventId',
      { scope: 'calendar:national-event:update', needs: 'calendar:national-event:read', title: 'National event' },
      () => import('./nationals/NationalScreen.tsx'),
    ),
    screen(
      '/calendar/events/repeatable-event',
      {
        scope: 'calendar:repeatable-event:create',
        needs: 'calendar:repeatable-event:read',
        title: 'Add repeatable event',
      },
      () => import('./repeatables/RepeatableCreateScreen.tsx'),
    ),
    screen(
      '/calendar/events/repeatable-event/$eventId',
      {
        scope: 'calendar:repeatable-event:update',
        needs: 'calendar:repeatable-event:read',
        title: 'Repeatable event',
        about: ['reach', 'occurrence'],
      },
      () => import('./repeatables/RepeatableScreen.tsx'),
    ),
  ],
  area: 'Planning',
  menu: [...group('Calendar', [item(22, 'Events', '/calendar/events', 'calendar:event:read')])],
  blocks: [{ name: 'events', title: 'Events', at: 70, reads: 'signedIn', load: () => import('./EventsBlock.tsx') }],
} satisfies Domain
