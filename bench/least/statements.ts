/**
 * The least SQL of some lists: one statement that answers a page in the default order, $1 rows from offset $2, with the
 * fields of the contract. Each is written by hand, so that a comparison reveals slow SQL of the app: decision 72.
 */
export const leastStatements: Readonly<Record<string, string>> = {
  'websites.list': `select w.website_id as id, w.version, w.created_at, w.updated_at, w.domain, w.kind, w.environment,
      w.status, w.owner_id, o.name as owner, w.server_id, s.name as server, p.name as plan, u.username, w.group_id,
      b.domain as parent, w.until, w.php_version, w.purge_after, m.state, m.since, m.checked_at, m.status as seen, m.ms, m.reason
    from (select website_id, created_at from websites where deleted_at is null
      order by created_at desc, website_id desc limit $1 offset $2) page
    join websites w on w.website_id = page.website_id join owners o on o.owner_id = w.owner_id
    join servers s on s.server_id = w.server_id join plans p on p.plan_id = w.plan_id
    join system_users u on u.system_user_id = w.system_user_id left join websites b on b.website_id = w.parent_id
    left join monitors m on m.website_id = w.website_id and m.next_at is not null
    order by page.created_at desc, page.website_id desc`,

  'servers.list': `select s.server_id as id, s.version, s.created_at, s.updated_at, s.name, s.address, s.type, s.status,
      s.web_server, s.accepts_new, s.note, s.provisioned_at, t.last_seen_at, t.agent_version, t.agent_build, t.os, t.uptime,
      t.load, t.services, t.not_enforced, k.services as wanted,
      (select count(*)::int from websites w where w.server_id = s.server_id and w.deleted_at is null) as websites
    from servers s join server_types k on k.name = s.type left join server_states t on t.server_id = s.server_id
    where s.deleted_at is null order by s.name, s.server_id limit $1 offset $2`,

  'users.list': `select u.user_id as id, u.version, u.created_at, u.updated_at, u.username, u.email, u.first_name, u.last_name,
      u.is_admin, r.role_id, r.name as role, d.department_id, d.name as department, u.profile_image, u.must_change_password,
      u.last_sign_in_at, exists (select from second_factors f where f.user_id = u.user_id and f.confirmed_at is not null) as second,
      (select max(a.since) from sign_in_attempts a where a.name = lower(u.username) and a.failed >= 5
        and a.since > now() - interval '15 minutes') as locked
    from (select user_id, lower(first_name || ' ' || last_name) as sort from users where deleted_at is null
      order by 2, 1 limit $1 offset $2) page
    join users u on u.user_id = page.user_id left join roles r on r.role_id = u.role_id and r.deleted_at is null
    left join departments d on d.department_id = u.department_id and d.deleted_at is null order by page.sort, page.user_id`,

  'dns.zones': `select zone_id as id, version, created_at, updated_at, domain, active, admin_only, department_ids, serial,
      live_serial, dnssec, records, changed_by, workflow_id
    from zones where deleted_at is null order by domain, zone_id limit $1 offset $2`,

  'databases.list': `select d.database_id as id, d.version, d.created_at, d.updated_at, d.name, d.engine, d.website_id, w.domain,
      w.owner_id, o.name as owner, d.server_id, s.name as server, d.charset, d.collation, d.status, d.size, d.size_seen_at,
      d.workflow_id, (select json_agg(json_build_object('id', u.database_user_id, 'version', u.version, 'username', u.username,
          'host', u.host, 'locked', u.locked, 'createdAt', u.created_at, 'updatedAt', u.updated_at, 'privileges', g.privileges,
          'chosen', g.chosen) order by u.username)
        from database_grants g join database_users u on u.database_user_id = g.database_user_id
        where g.database_id = d.database_id and u.deleted_at is null) as users
    from (select database_id, name from databases where deleted_at is null order by name, database_id limit $1 offset $2) page
    join databases d on d.database_id = page.database_id join websites w on w.website_id = d.website_id
    join owners o on o.owner_id = w.owner_id join servers s on s.server_id = d.server_id order by page.name, page.database_id`,

  'backups.list': `select b.backup_id as id, b.version, b.created_at, b.updated_at, b.website_id, b.domain, b.server_id,
      s.name as server, h.name as host, b.backup_repository_id, b.backup_schedule_id, b.kind, b.mode, b.status, b.bytes, b.added,
      b.files, b.started_at, b.ended_at, b.error, b.held, b.proven_at, b.proof, b.parts, b.workflow_id
    from (select backup_id, created_at from backups where deleted_at is null
      order by created_at desc, backup_id desc limit $1 offset $2) page
    join backups b on b.backup_id = page.backup_id join servers s on s.server_id = b.server_id
    join backup_repositories r on r.backup_repository_id = b.backup_repository_id
    join backup_servers k on k.backup_server_id = r.backup_server_id join servers h on h.server_id = k.server_id
    order by page.created_at desc, page.backup_id desc`,

  'bugs.list': `select i.tracker_item_id as id, i.version, i.created_at, i.updated_at, i.face, i.number, i.title, i.status_group,
      s.tracker_setting_id as status_id, s.name as status, s.colour, p.name as priority, c.name as component, f.name as folder,
      d.name as department, a.first_name, a.last_name, r.first_name as reporter, r.last_name as reporter_last, i.due_on,
      i.estimate_minutes, i.comments, i.votes, i.duplicate_of_id, o.number as duplicate_of, i.completed_at, i.archived_at,
      i.priority_id, p.colour as priority_colour, i.component_id, c.colour as component_colour, i.folder_id,
      f.colour as folder_colour, i.department_id, d.colour as department_colour, i.assignee_id, i.reporter_id
    from (select tracker_item_id, updated_at from tracker_items where face = 'bug' and deleted_at is null and archived_at is null
      order by updated_at desc, tracker_item_id desc limit $1 offset $2) page
    join tracker_items i on i.tracker_item_id = page.tracker_item_id
    join tracker_settings s on s.tracker_setting_id = i.status_id
    left join tracker_settings p on p.tracker_setting_id = i.priority_id
    left join tracker_settings c on c.tracker_setting_id = i.component_id
    left join tracker_settings f on f.tracker_setting_id = i.folder_id
    left join tracker_settings d on d.tracker_setting_id = i.department_id
    left join users a on a.user_id = i.assignee_id left join users r on r.user_id = i.reporter_id
    left join tracker_items o on o.tracker_item_id = i.duplicate_of_id
    order by page.updated_at desc, page.tracker_item_id desc`,

  'dossiers.feedbacks': `select f.dossier_feedback_id as id, f.version, f.created_at, f.updated_at, f.is_draft, f.content,
      f.visibility, f.published_at, f.follow_up_on, f.acknowledged_at, f.answer, f.edited_at, f.subject_id, s.first_name,
      s.last_name, f.author_id, a.first_name as author, a.last_name as author_last, f.type_id, t.name as type, f.category_id,
      c.name as category, f.review_category_id, r.name as review_category, f.follow_up_by_id, f.mentions, f.file_ids
    from (select dossier_feedback_id, created_at from dossier_feedbacks where deleted_at is null and (author_id = (select min(user_id) from users where is_admin)
        or not is_draft and visibility <> 'private')
      order by created_at desc, dossier_feedback_id desc limit $1 offset $2) page
    join dossier_feedbacks f on f.dossier_feedback_id = page.dossier_feedback_id
    join users s on s.user_id = f.subject_id join users a on a.user_id = f.author_id
    left join dossier_words t on t.dossier_word_id = f.type_id left join dossier_words c on c.dossier_word_id = f.category_id
    left join dossier_words r on r.dossier_word_id = f.review_category_id
    order by page.created_at desc, page.dossier_feedback_id desc`,

  'qcChats.archive': `select c.qc_conversation_id as id, c.version, c.created_at, c.updated_at, c.kind, c.external_id,
      s.name as source, c.subject, c.customer_name, c.customer_email, c.agent_id, a.first_name, a.last_name, d.name as department,
      c.started_at, c.last_at, c.messages, c.csat, c.status, c.queued_at, c.queued_by, c.assign_reason, c.score, c.reviewed_at,
      c.redacted_at, (select json_agg(json_build_object('id', u.user_id, 'name', u.first_name || ' ' || u.last_name))
        from users u where u.user_id = any(c.agent_ids)) as agents,
      (select json_agg(json_build_object('id', t.qc_tag_id, 'name', t.name, 'colour', t.colour)) from qc_tags t
        where t.qc_tag_id = any(c.tag_ids)) as tags, c.holder_id, c.assignee_id, c.postponed_by, c.reviewed_by,
      array(select f.reviewer_id from qc_drafts f where f.conversation_id = c.qc_conversation_id) as drafts
    from (select qc_conversation_id, last_at from qc_conversations where status <> 'queued' and kind = 'chat'
      order by last_at desc, qc_conversation_id desc limit $1 offset $2) page
    join qc_conversations c on c.qc_conversation_id = page.qc_conversation_id
    left join users a on a.user_id = c.agent_id left join departments d on d.department_id = c.department_id
    left join qc_sources s on s.qc_source_id = c.source_id order by page.last_at desc, page.qc_conversation_id desc`,
}
