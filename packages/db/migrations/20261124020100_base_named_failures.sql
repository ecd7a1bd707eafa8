-- Why a job or an import stopped: a reason with its names and figures, so that the web app can say it in the reader's language.
-- What stopped before keeps its sentence.

drop trigger job_progress_tell on app.job_progress;
alter table app.job_progress alter column error type jsonb using case when error is not null then jsonb_build_object('detail', error) end;
alter table app.imports alter column error type jsonb using case when error is not null then jsonb_build_object('detail', error) end;
create trigger job_progress_tell after insert or update of status, done, total, result, error on app.job_progress
  for each row execute function app.tell_job();
comment on column app.job_progress.error is 'Why it failed: reason, params and detail as in a problem answer';
comment on column app.imports.error is 'Why the whole file could not be read or the run stopped: reason, params and detail as in a problem answer';
