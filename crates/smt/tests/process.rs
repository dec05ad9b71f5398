//! Solver processes that misbehave: each is an error value or "unknown", never a wrong answer.
#![cfg(unix)]

mod common;

use std::{fs, os::unix::fs::PermissionsExt, time::Duration};

use common::z3_program;
use lariat_smt::{Answer, Command, LazyArrays, Limits, ProcessSolver, Reason, Solver, SolverError, arrays::Fragment};
use lariat_term::{Sort, Term, Terms};

/// A script that answers the handshake like a solver and then, at a check, runs `on_check`. In it,
/// `$checks` says how many checks there were in this process.
fn fake(on_check: &str, rest: &str) -> (tempfile::TempDir, Command) {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let path = dir.path().join("solver");
    let script = format!(
        r#"#!/bin/sh
checks=0
while IFS= read -r line; do
  case $line in
    '(echo '*) line=${{line#'(echo '}}; echo "${{line%')'}}" ;;
    '(get-info :name)') echo '(:name "fake")' ;;
    '(get-info :version)') echo '(:version "1")' ;;
    '(check-sat'*) checks=$((checks + 1)); {on_check} ;;
    {rest}
  esac
done
"#
    );
    // Written under another name, so that nobody has it open for writing when it is started.
    let draft = dir.path().join("draft");
    fs::write(&draft, script).expect("a script");
    fs::set_permissions(&draft, fs::Permissions::from_mode(0o755)).expect("an executable script");
    fs::rename(&draft, &path).expect("a script in place");
    let command = Command::other("/bin/sh", &[path.to_string_lossy().into_owned()]);
    (dir, command)
}

fn one_variable() -> (Terms, Term, Term) {
    let mut t = Terms::new();
    let x = t.var("x", Sort::INT);
    let zero = t.int(0);
    let positive = t.lt(zero, x);
    (t, x, positive)
}

/// The outcome of a check of `0 < x` under `assumed`, in half a second at most.
fn ask(command: &Command, assume: bool) -> (ProcessSolver, Result<Answer, SolverError>) {
    let (mut t, x, positive) = one_variable();
    let five = t.int(5);
    let is_five = t.eq(x, five);
    let mut s = ProcessSolver::new(command.clone(), None).expect("the handshake works");
    s.set_checking(true);
    s.set_limits(Limits::time(Duration::from_millis(500)));
    s.assert(&t, positive).expect("it is only written down");
    let assumed = [is_five];
    let answer = s.check(&t, if assume { &assumed } else { &[] });
    (s, answer)
}

#[test]
fn a_missing_program() {
    let e = ProcessSolver::new(Command::cvc5("/no/such/solver"), None).err();
    assert!(matches!(e, Some(SolverError::Missing { .. })), "{e:?}");
}

#[test]
fn dies_at_once() {
    for program in ["/bin/true", "/bin/false"] {
        let e = ProcessSolver::new(Command::other(program, &[]), None).err();
        assert!(matches!(e, Some(SolverError::Died { .. })), "{e:?}");
    }
}

#[test]
fn dies_at_every_check() {
    let (_dir, command) = fake("echo broken >&2; exit 7", "");
    let (mut s, answer) = ask(&command, false);
    let Err(SolverError::Died { message, .. }) = answer else { panic!("{answer:?}") };
    assert!(message.contains('7') && message.contains("broken"), "{message}");
    // It was started once more, and is again when asked again.
    assert_eq!(s.statistics().restarts, 1);
    let (t, ..) = one_variable();
    assert!(matches!(s.check(&t, &[]), Err(SolverError::Died { .. })));
    assert_eq!(s.statistics().errors, 2);
}

#[test]
fn dies_once_and_is_started_again() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let mark = dir.path().join("died");
    let on_check = format!("if [ -e {0} ]; then echo sat; else touch {0}; kill -9 $$; fi", mark.display());
    let (_dir, command) = fake(&on_check, "'(get-value'*) echo '((x 3))' ;;");
    let (s, answer) = ask(&command, false);
    assert!(answer.is_ok_and(|a| a.is_sat()));
    assert_eq!(s.statistics().restarts, 1);
}

#[test]
fn dies_in_the_middle_of_an_answer() {
    let (_dir, command) = fake("echo sat", "'(get-value'*) printf '((x'; exit 1 ;;");
    assert!(matches!(ask(&command, false).1, Err(SolverError::Died { .. })));
}

#[test]
fn hangs() {
    let (_dir, command) = fake("exec sleep 1000", "");
    assert!(matches!(ask(&command, false).1, Ok(Answer::Unknown(Reason::Timeout))));
    // Also after an answer, and without reading what it is sent.
    let (_dir, command) = fake("echo sat", "'(get-value'*) exec sleep 1000 ;;");
    assert!(matches!(ask(&command, false).1, Ok(Answer::Unknown(Reason::Timeout))));
}

#[test]
fn does_not_read() {
    let (_dir, command) = fake("exec 0<&-; exec sleep 1000", "");
    let (mut t, x, positive) = one_variable();
    let mut s = ProcessSolver::new(command, None).expect("the handshake works");
    s.set_limits(Limits::time(Duration::from_millis(300)));
    s.assert(&t, positive).expect("it is only written down");
    assert!(matches!(s.check(&t, &[]), Ok(Answer::Unknown(Reason::Timeout))));
    // More text than a pipe holds.
    let mut sum = x;
    for i in 0..20_000 {
        let y = t.var(&format!("a_long_name_of_a_variable_{i}"), Sort::INT);
        sum = t.add(&[sum, y]);
    }
    let zero = t.int(0);
    let big = t.lt(zero, sum);
    s.assert(&t, big).expect("it is only written down");
    assert!(matches!(s.check(&t, &[]), Ok(Answer::Unknown(Reason::Timeout))));
}

#[test]
fn interrupted() {
    let (_dir, command) = fake("exec sleep 1000", "");
    let (t, _, positive) = one_variable();
    let mut s = ProcessSolver::new(command, None).expect("the handshake works");
    s.assert(&t, positive).expect("it is only written down");
    let handle = s.interrupter();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(50));
            handle.interrupt();
        });
        assert!(matches!(s.check(&t, &[]), Ok(Answer::Unknown(Reason::Interrupted))));
    });
}

#[test]
fn prints_nonsense() {
    for nonsense in ["maybe", "sat; echo sat", "'Segmentation fault (core dumped)'", "'\"'; echo '\"'", "", "'))))'"] {
        let (_dir, command) = fake(&format!("echo {nonsense}"), "'(get-value'*) echo '((x 3))' ;;");
        let answer = ask(&command, false).1;
        assert!(matches!(answer, Err(SolverError::Nonsense { .. })), "{nonsense}: {answer:?}");
    }
    for values in ["((x 3", "((x 3)))", "()", "((x 3) (y 4))", "x", "((x))", "(error \"no model\")"] {
        let (_dir, command) = fake("echo sat", &format!("'(get-value'*) echo '{values}' ;;"));
        let answer = ask(&command, false).1;
        assert!(
            matches!(
                answer,
                Err(SolverError::Nonsense { .. } | SolverError::Failed { .. }) | Ok(Answer::Unknown(Reason::Timeout))
            ),
            "{values}: {answer:?}"
        );
    }
    // A value that is none: the variable has no value, and not a wrong one.
    let (_dir, command) = fake("echo sat", "'(get-value'*) echo '((x (root-obj (^ x 2) 1)))' ;;");
    let Ok(Answer::Sat(model)) = ask(&command, false).1 else { panic!("sat") };
    let (t, x, _) = one_variable();
    assert!(matches!(model.value(&t, x), Err(SolverError::NoValue { .. })));
}

#[test]
fn lies() {
    // A model that does not satisfy.
    let (_dir, command) = fake("echo sat", "'(get-value'*) echo '((x (- 3)))' ;;");
    let Err(SolverError::Unsound(what)) = ask(&command, false).1 else { panic!("not found") };
    assert!(
        what.query.contains("(declare-fun x () Int)\n(assert ") && what.query.ends_with("(check-sat)\n"),
        "{}",
        what.query
    );
    // A contradiction where there is none.
    let (_dir, command) = fake("echo unsat", "'(get-unsat-assumptions)') echo '()' ;;");
    for assume in [false, true] {
        assert!(matches!(ask(&command, assume).1, Err(SolverError::Unsound(_))));
    }
    // A core of something that was not assumed.
    let (_dir, command) = fake("echo unsat", "'(get-unsat-assumptions)') echo '(x)' ;;");
    assert!(matches!(ask(&command, true).1, Err(SolverError::Nonsense { .. })));
}

#[test]
fn floods() {
    let (_dir, command) = fake("exec yes sat", "");
    let answer = ask(&command, false).1;
    assert!(matches!(answer, Err(SolverError::Nonsense { .. })), "{answer:?}");
    // 100 MB without an end.
    let (_dir, command) = fake("echo '('; head -c 100000000 /dev/zero | tr '\\0' a; exec sleep 1000", "");
    let (t, _, positive) = one_variable();
    let mut s = ProcessSolver::new(command, None).expect("the handshake works");
    s.set_limits(Limits::time(Duration::from_secs(60)));
    s.assert(&t, positive).expect("it is only written down");
    let answer = s.check(&t, &[]);
    assert!(matches!(answer, Err(SolverError::Nonsense { .. })), "{answer:?}");
}

#[test]
fn no_process_is_left() {
    let (dir, command) = fake("exec sleep 1000", "");
    let pid = dir.path().join("pid");
    let script = dir.path().join("solver");
    let text = fs::read_to_string(&script).expect("the script");
    fs::write(&script, text.replacen("checks=0", &format!("checks=0; echo $$ > {}", pid.display()), 1))
        .expect("written");
    let (s, answer) = ask(&command, false);
    assert!(matches!(answer, Ok(Answer::Unknown(Reason::Timeout))));
    drop(s);
    let pid = fs::read_to_string(pid).expect("its number");
    assert!(!std::path::Path::new(&format!("/proc/{}", pid.trim())).exists(), "process {pid} still exists");
}

#[test]
fn scopes_survive_a_restart() {
    let program = z3_program();
    let Ok(mut s) = ProcessSolver::new(Command::z3(&program), None) else {
        return common::needs::skipped(&format!("`{program}` is not installed"));
    };
    let (mut t, x, positive) = one_variable();
    let (five, six) = (t.int(5), t.int(6));
    let (below, is_five, is_six) = (t.lt(x, six), t.eq(x, five), t.eq(x, six));
    s.assert(&t, positive).unwrap();
    s.push().unwrap();
    s.assert(&t, below).unwrap();
    s.push().unwrap();
    let handle = s.interrupter();
    for _ in 0..2 {
        assert!(s.check(&t, &[is_five]).unwrap().is_sat());
        assert!(s.check(&t, &[is_six]).unwrap().is_unsat());
        handle.interrupt();
        assert!(s.check(&t, &[is_six]).unwrap().is_unknown());
        handle.reset();
        // A memory limit needs a new process.
        s.set_limits(Limits { memory: Some(1000 + s.statistics().restarts as u32), ..Limits::default() });
    }
    assert_eq!(s.statistics().restarts, 1);
    s.pop(2).unwrap();
    assert!(s.check(&t, &[is_six]).unwrap().is_sat());
}

/// An interruption while the general solver has its turn ends that check only.
#[test]
fn interrupted_in_the_turn_of_the_general_solver() {
    let why = r#"'(get-info :reason-unknown)') echo '(:reason-unknown "resource")' ;;"#;
    let (tired_dir, tired) = fake("echo unknown", why);
    let (started, go) = (tired_dir.path().join("started"), tired_dir.path().join("go"));
    let on_check =
        format!("if [ -e {} ]; then echo unsat; else touch {}; sleep 100; fi", go.display(), started.display());
    let (_dir, general) = fake(&on_check, "");
    let mut s = LazyArrays::over(move |fragment| {
        let command = if fragment == Fragment::Arrays { &general } else { &tired };
        Ok(Box::new(ProcessSolver::new(command.clone(), None)?))
    })
    .expect("the handshake works");
    s.set_checking(false);
    let mut t = Terms::new();
    let p = t.var("p", Sort::BOOL);
    let not_p = t.not(p);
    s.assert(&t, p).and_then(|()| s.assert(&t, not_p)).expect("it is only written down");
    let handle = s.interrupter();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !started.exists() {
                std::thread::sleep(Duration::from_millis(5));
            }
            handle.interrupt();
        });
        assert!(matches!(s.check(&t, &[]), Ok(Answer::Unknown(Reason::Interrupted))));
    });
    handle.reset();
    fs::write(&go, "").expect("written");
    assert!(s.check(&t, &[]).expect("an answer").is_unsat());
}
