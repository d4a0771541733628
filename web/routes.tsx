import { createRootRoute, createRoute, createRouter, type RouterHistory } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { guestOnly, mayOpen, type Place, signedIn } from './kit/access/guard.ts'
import { session, useSession } from './kit/access/session.ts'
import { lazyScreen } from './kit/frame/lazyScreen.tsx'
import { Skeletons } from './kit/frame/Skeletons.tsx'
import { PageError, StartError } from './kit/frame/StartError.tsx'

/** Plain text in, plain text out: an address can be read and written by people. Lists parse their own. */
export type Search = Record<string, string>

const root = createRootRoute({
  validateSearch: (search: Record<string, unknown>): Search =>
    Object.fromEntries(Object.entries(search).map(([key, value]) => [key, String(value)])),
})

const Shell = lazyScreen(() => import('./shell/Shell.tsx'))
const VisitorFrame = lazyScreen(() => import('./files/VisitorFrame.tsx'))
const Around = () => (useSession().jwt ? <Shell /> : <VisitorFrame />)

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  beforeLoad: guestOnly,
  errorComponent: PageError,
})

const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: async (context) => {
    // what will be shown is fetched while the session is asked after
    void (session.user.jwt ? Shell : VisitorFrame).preload()
    context.matches.at(-1)?.staticData.preload?.()
    await signedIn(context)
    mayOpen(context)
  },
  component: Around,
  errorComponent: PageError,
})

const screen = <const P extends string>(path: P, place: Place, load: () => Promise<{ default: ComponentType }>) => {
  const component = lazyScreen(load)
  return createRoute({
    getParentRoute: () => inside,
    path,
    staticData: { place, preload: component.preload },
    component,
  })
}

/** Tests read this file without Vite, and take it for the production one. */
const isDeveloping = import.meta.env?.DEV === true
/** The kit in every state. An empty list for the types: its path is typed by hand. */
const forDevelopers = (
  isDeveloping ? [screen('/kit', { scope: 'signedIn', title: 'Kit' }, () => import('./showcase/KitScreen.tsx'))] : []
) as []

/** One line per screen. */
const tree = root.addChildren([
  login,
  inside.addChildren([
    screen('/', { scope: 'signedIn', title: 'Home' }, () => import('./home/HomeScreen.tsx')),
    screen('/users', { scope: 'users:user:read', title: 'Users' }, () => import('./users/UsersScreen.tsx')),
    screen(
      '/users/create',
      { scope: 'users:user:create', title: 'Create account' },
      () => import('./users/UserCreateScreen.tsx'),
    ),
    screen(
      '/users/edit/$userId',
      { scope: 'users:user:update', needs: 'users:user:read', title: 'Edit account' },
      () => import('./users/UserEditScreen.tsx'),
    ),
    screen('/roles', { scope: 'users:role:read', title: 'User roles' }, () => import('./roles/RolesScreen.tsx')),
    screen(
      '/roles/create',
      { scope: 'users:role:create', needs: 'users:scope:read', title: 'Create role' },
      () => import('./roles/RoleCreateScreen.tsx'),
    ),
    screen(
      '/roles/edit/$roleId',
      { scope: 'users:role:update', needs: ['users:role:read', 'users:scope:read'], title: 'Edit role' },
      () => import('./roles/RoleEditScreen.tsx'),
    ),
    screen(
      '/departments',
      { scope: 'users:department:read', title: 'Departments' },
      () => import('./departments/DepartmentsScreen.tsx'),
    ),
    screen(
      '/departments/create',
      { scope: 'users:department:create', title: 'Create department' },
      () => import('./departments/DepartmentCreateScreen.tsx'),
    ),
    screen(
      '/departments/edit/$departmentId',
      { scope: 'users:department:update', needs: 'users:department:read', title: 'Edit department' },
      () => import('./departments/DepartmentEditScreen.tsx'),
    ),
    screen('/security', { scope: 'signedIn', title: 'Security' }, () => import('./security/SecurityScreen.tsx')),
    screen(
      '/ifm',
      { scope: 'file-manager:file:browse', title: 'Internal file manager' },
      () => import('./files/IfmScreen.tsx'),
    ),
    screen('/files-manager', { scope: 'public', title: 'Files' }, () => import('./files/FilesScreen.tsx')),
    screen('/files-manager/$folderId', { scope: 'public', title: 'Files' }, () => import('./files/FilesScreen.tsx')),
    screen('/profile', { scope: 'signedIn', title: 'My profile' }, () => import('./profiles/OwnProfileScreen.tsx')),
    screen(
      '/profile/$userId',
      { scope: 'employee:profile:read', title: 'Profile' },
      () => import('./profiles/ProfileScreen.tsx'),
    ),
    screen(
      '/profiles',
      { scope: 'employee:profile:read', title: 'Profiles' },
      () => import('./profiles/ProfilesScreen.tsx'),
    ),
    screen(
      '/notifications',
      { scope: 'signedIn', title: 'Notifications' },
      () => import('./notifications/NotificationsScreen.tsx'),
    ),
    screen('/vhost/cdn', { scope: 'vhost:vhost:read', title: 'CDN' }, () => import('./vhosts/CdnScreen.tsx')),
    screen(
      '/vhost/cdn/create',
      { scope: 'vhost:vhost:create', needs: 'vhost:origin:read', title: 'Put behind an edge' },
      () => import('./vhosts/CdnCreateScreen.tsx'),
    ),
    screen(
      '/vhost/origin',
      { scope: 'vhost:origin:read', title: 'Origin vhosts' },
      () => import('./vhosts/OriginScreen.tsx'),
    ),
    screen(
      '/vhost/origin/create',
      { scope: 'vhost:origin:create', needs: 'vhost:origin:read', title: 'Set PHP of a website' },
      () => import('./vhosts/OriginCreateScreen.tsx'),
    ),
    screen('/server', { scope: 'server:server:read', title: 'Servers' }, () => import('./servers/ServersScreen.tsx')),
    screen(
      '/server/create',
      { scope: 'server:server:create', title: 'Add server' },
      () => import('./servers/ServerCreateScreen.tsx'),
    ),
    screen(
      '/server/$server',
      { scope: 'server:server:read', title: 'Server' },
      () => import('./servers/ServerScreen.tsx'),
    ),
    screen(
      '/server/edit/$server',
      {
        scope: 'users:department:update',
        needs: ['server:server:read', 'server:server:update'],
        title: 'Edit server',
      },
      () => import('./servers/ServerEditScreen.tsx'),
    ),
    screen('/ipset/sets', { scope: 'ipset:set:read', title: 'IP sets' }, () => import('./ipsets/SetsScreen.tsx')),
    screen(
      '/ipset/sets/create',
      { scope: 'ipset:set:create', title: 'Add IP set' },
      () => import('./ipsets/SetCreateScreen.tsx'),
    ),
    screen(
      '/ipset/sets/$setName',
      { scope: 'ipset:set:read', title: 'IP set' },
      () => import('./ipsets/SetScreen.tsx'),
    ),
    screen('/dns', { scope: 'dns:zone:read', title: 'Zones' }, () => import('./dns/ZonesScreen.tsx')),
    screen(
      '/dns/zone/create',
      { scope: 'dns:zone:create', needs: 'dns:zone:read', title: 'Add zone' },
      () => import('./dns/ZoneCreateScreen.tsx'),
    ),
    screen('/dns/zone/$id', { scope: 'dns:zone:read', title: 'Zone' }, () => import('./dns/ZoneScreen.tsx')),
    screen(
      '/dns/zone/$id/create',
      { scope: 'dns:record:update', needs: 'dns:zone:read', title: 'Add record' },
      () => import('./dns/RecordCreateScreen.tsx'),
    ),
    screen(
      '/dns/templates',
      { scope: 'dns:zone:read', title: 'Zone templates' },
      () => import('./dns/TemplatesScreen.tsx'),
    ),
    screen(
      '/dns/departments',
      { scope: 'dns:department:read', title: 'DNS departments' },
      () => import('./dns/DepartmentsScreen.tsx'),
    ),
    screen('/ssl', { scope: 'ssl:cert:read', title: 'SSL certificates' }, () => import('./ssl/SslScreen.tsx')),
    screen(
      '/ssl/create',
      { scope: 'ssl:cert:create', needs: ['ssl:cert:read', 'website:website:read'], title: 'Add certificate' },
      () => import('./ssl/CertificateCreateScreen.tsx'),
    ),
    screen('/ssl/$id', { scope: 'ssl:cert:read', title: 'Certificate' }, () => import('./ssl/CertificateScreen.tsx')),
    screen(
      '/websites',
      { scope: 'website:website:read', title: 'Websites' },
      () => import('./websites/WebsitesScreen.tsx'),
    ),
    screen(
      '/websites/create',
      {
        scope: 'website:website:create',
        needs: ['server:server:read', 'system-user:plan:read', 'website:group:read'],
        title: 'Create website',
      },
      () => import('./websites/WebsiteCreateScreen.tsx'),
    ),
    screen(
      '/websites/groups',
      { scope: 'website:group:read', title: 'Website groups' },
      () => import('./groups/GroupsScreen.tsx'),
    ),
    screen(
      '/websites/groups/$id',
      { scope: 'website:group:read', title: 'Website group' },
      () => import('./groups/GroupScreen.tsx'),
    ),
    screen(
      '/websites/$id',
      { scope: 'website:website:read', title: 'Website' },
      () => import('./websites/WebsiteScreen.tsx'),
    ),
    screen(
      '/action-logs',
      { scope: 'logs:action-logs:read', title: 'Action Logs' },
      () => import('./log/LogScreen.tsx'),
    ),
    screen(
      '/action-logs/$id',
      { scope: 'logs:action-logs:read', title: 'Log row' },
      () => import('./log/LogRowScreen.tsx'),
    ),
    screen(
      '/website-migrations',
      { scope: 'website:migrations:read', title: 'Website Migrations List' },
      () => import('./moves/MovesScreen.tsx'),
    ),
    screen(
      '/website-migrations/groups',
      { scope: 'website:migrations:read', title: 'Groups Migrations List' },
      () => import('./moves/GroupMovesScreen.tsx'),
    ),
    screen(
      '/website-migrations/groups/$id',
      { scope: 'website:migrations:read', title: 'Group Migrations List' },
      () => import('./moves/GroupMoveScreen.tsx'),
    ),
    screen(
      '/website-migrations/$id',
      { scope: 'website:migrations:read', title: 'View Website Migration' },
      () => import('./moves/MoveScreen.tsx'),
    ),
    screen(
      '/website-orchestrator',
      { scope: 'website:website:read', title: 'Resources' },
      () => import('./websites/ResourcesScreen.tsx'),
    ),
    screen(
      '/website-orchestrator/$websiteId/$resourceType/$resourceId',
      { scope: 'website:website:read', title: 'Orchestrator Resource' },
      () => import('./websites/ResourceScreen.tsx'),
    ),
    screen('/plans', { scope: 'system-user:plan:read', title: 'All Plans' }, () => import('./plans/PlansScreen.tsx')),
    screen(
      '/system-users',
      { scope: 'system-user:user:read', title: 'System users' },
      () => import('./systemUsers/SystemUsersScreen.tsx'),
    ),
    screen(
      '/system-users/list',
      { scope: 'system-user:user:read', title: 'System users' },
      () => import('./systemUsers/SystemUsersScreen.tsx'),
    ),
    screen(
      '/system-users/create',
      {
        scope: 'system-user:user:create',
        needs: ['server:server:read', 'system-user:plan:read', 'website:group:read'],
        title: 'Create system user',
      },
      () => import('./systemUsers/SystemUserCreateScreen.tsx'),
    ),
    screen(
      '/system-users/edit/$id',
      { scope: 'system-user:user:read', title: 'System user' },
      () => import('./systemUsers/SystemUserScreen.tsx'),
    ),
    screen(
      '/calendar/events',
      { scope: 'calendar:event:read', title: 'Events' },
      () => import('./calendarEvents/EventsScreen.tsx'),
    ),
    screen(
      '/calendar/events/manage',
      { scope: 'calendar:event:read', title: 'Manage events' },
      () => import('./calendarEvents/ManageScreen.tsx'),
    ),
    screen(
      '/calendar/events/event',
      { scope: 'calendar:event:create', title: 'Add event' },
      () => import('./calendarEvents/EventCreateScreen.tsx'),
    ),
    screen(
      '/calendar/events/event/$eventId',
      { scope: 'calendar:event:update', needs: 'calendar:event:read', title: 'Event' },
      () => import('./calendarEvents/EventScreen.tsx'),
    ),
    screen(
      '/calendar/events/event/$eventId/attendant',
      { scope: 'calendar:attendant:read', needs: 'calendar:event:read', title: 'Attendants' },
      () => import('./calendarEvents/AttendantsScreen.tsx'),
    ),
    screen(
      '/calendar/events/event/$eventId/singup',
      { scope: 'calendar:event:read', title: 'Sign up' },
      () => import('./calendarEvents/SignUpScreen.tsx'),
    ),
    screen(
      '/calendar/events/event/$eventId/signup',
      { scope: 'calendar:event:read', title: 'Sign up' },
      () => import('./calendarEvents/SignUpScreen.tsx'),
    ),
    screen(
      '/calendar/events/national-event',
      { scope: 'calendar:national-event:create', needs: 'calendar:national-event:read', title: 'Add national event' },
      () => import('./calendarEvents/NationalCreateScreen.tsx'),
    ),
    screen(
      '/calendar/events/national-event/$eventId',
      { scope: 'calendar:national-event:update', needs: 'calendar:national-event:read', title: 'National event' },
      () => import('./calendarEvents/NationalScreen.tsx'),
    ),
    screen(
      '/calendar/events/repeatable-event',
      {
        scope: 'calendar:repeatable-event:create',
        needs: 'calendar:repeatable-event:read',
        title: 'Add repeatable event',
      },
      () => import('./calendarEvents/RepeatableCreateScreen.tsx'),
    ),
    screen(
      '/calendar/events/repeatable-event/$eventId',
      { scope: 'calendar:repeatable-event:update', needs: 'calendar:repeatable-event:read', title: 'Repeatable event' },
      () => import('./calendarEvents/RepeatableScreen.tsx'),
    ),
    screen(
      '/leaves/new',
      { scope: 'calendar:leave:create', title: 'Request leave' },
      () => import('./leaves/NewScreen.tsx'),
    ),
    screen('/leaves/my', { scope: 'signedIn', title: 'My leaves' }, () => import('./leaves/MyScreen.tsx')),
    screen('/leaves/all', { scope: 'calendar:leave:read', title: 'Leaves' }, () => import('./leaves/AllScreen.tsx')),
    screen(
      '/leaves/employees',
      { scope: 'calendar:employee:read', title: 'Employees' },
      () => import('./leaves/EmployeesScreen.tsx'),
    ),
    screen(
      '/leaves/employee/$userId',
      { scope: 'calendar:employee:update', needs: 'calendar:employee:read', title: 'Leave of an employee' },
      () => import('./leaves/EmployeeScreen.tsx'),
    ),
    screen(
      '/leaves/archive',
      { scope: 'calendar:leave:read', title: 'Leave archive' },
      () => import('./leaves/ArchiveScreen.tsx'),
    ),
    screen(
      '/leaves/approvers',
      { scope: 'calendar:default-approvers:read', title: 'Leave approvers' },
      () => import('./leaves/ApproversScreen.tsx'),
    ),
    screen(
      '/calendar/shifts',
      { scope: 'calendar:shift:read', title: 'Shifts' },
      () => import('./shifts/ShiftsScreen.tsx'),
    ),
    screen(
      '/calendar/shifts/manage',
      { scope: 'calendar:shift:create', needs: 'calendar:shift:read', title: 'Manage shifts' },
      () => import('./shifts/ManageScreen.tsx'),
    ),
    screen(
      '/calendar/shifts/type',
      { scope: 'calendar:shift-type:read', title: 'Shift types' },
      () => import('./shifts/TypesScreen.tsx'),
    ),
    screen(
      '/calendar/shifts/type/$shiftTypeId',
      {
        scope: 'calendar:shift-type:update',
        needs: ['calendar:shift-type:read', 'calendar:shift:read'],
        title: 'Shift type',
      },
      () => import('./shifts/TypeScreen.tsx'),
    ),
    screen(
      '/calendar/shifts/automation',
      { scope: 'calendar:shift-automation:read', title: 'Shift automations' },
      () => import('./shifts/AutomationsScreen.tsx'),
    ),
    screen(
      '/calendar/shifts/automation/$id',
      {
        scope: 'calendar:shift-automation:update',
        needs: [
          'calendar:shift-automation:read',
          'calendar:shift:read',
          'calendar:shift-type:read',
          'calendar:shift-team:read',
        ],
        title: 'Shift automation',
      },
      () => import('./shifts/AutomationScreen.tsx'),
    ),
    ...forDevelopers,
    screen('$', { scope: 'signedIn', title: 'Page not found' }, () => import('./home/NotFound.tsx')),
  ]),
])

export const createAppRouter = (history: RouterHistory) =>
  createRouter({
    routeTree: tree,
    history,
    defaultPreload: 'intent',
    defaultPendingMs: 300,
    defaultPendingComponent: Skeletons,
    defaultErrorComponent: StartError,
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const set = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
      const text = new URLSearchParams(set).toString()
      return text && `?${text}`
    },
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
