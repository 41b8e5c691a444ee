//! Results from the client's perspective.

use super::response::{ChildPart, GradePart, Knowledge, Proven, ScorePart};
use super::{Extent, Perspective};
use crate::grade::{Grade, Graded, GradedMove, grade};
use crate::position::{Outcome, Side};
use crate::search::{Bound, Bounds, Child, Evaluation, Outlook, Report, Verdict, losses};

/// The side of the perspective, the side to move at the root, and the unit of margins.
#[derive(Clone, Copy, Debug)]
pub struct Viewpoint {
    pub side: Side,
    pub mover: Side,
    pub unit: Option<&'static str>,
}

impl Viewpoint {
    pub fn new(perspective: Perspective, mover: Side, unit: Option<&'static str>) -> Self {
        let side = if perspective == Perspective::FirstPlayer { Side::First } else { mover };
        Self { side, mover, unit }
    }

    /// A node's children; `mover` is to move there, and `best` is the best move if that is not the first.
    pub fn children(
        self,
        children: Vec<Child<String>>,
        mover: Side,
        best: Option<&str>,
        extent: Extent,
    ) -> Vec<ChildPart> {
        // The loss of the side to move does not depend on the perspective.
        let first = children.iter().position(|child| best.is_none_or(|best| child.mv == best)).unwrap_or(0);
        let losses = losses(&children, first, mover);
        let parts = children.into_iter().take(extent.children).enumerate().map(|(order, child)| ChildPart {
            order,
            visits: child.visits,
            nodes: child.nodes,
            knowledge: self.of(&child.evaluation),
            loss_vs_best: losses[order].map(round),
            prior: child.prior.map(round),
            depth: child.depth,
            pv: child.pv.into_iter().take(extent.line).collect(),
            children: child.below.map(|below| self.children(below.children, below.mover, None, extent)),
            mv: child.mv,
        });
        parts.collect()
    }

    /// The grade of a move of the root.
    pub fn grade(&self, report: &Report<String>, graded: &Graded) -> GradePart {
        let GradedMove { mv, grade, rank, child, reasons } = grade(report, self.mover, graded);
        let Grade { loss, class, proof, exact } = grade;
        let value = child.and_then(|child| child.evaluation.value(self.side));
        let depth = child.map(|child| child.depth).filter(|&depth| depth > 0 && !exact);
        let (mv, value) = (mv.to_owned(), value.map(round));
        GradePart { mv, rank, value, loss, class, proof, exact, depth, reasons }
    }

    pub fn of(&self, evaluation: &Evaluation) -> Knowledge {
        let same = self.side == Side::First;
        let outlook = evaluation.outlook.map(|outlook| if same { outlook } else { turned(outlook) });
        let sign = f64::from(self.side.sign());
        let chances = outlook.map(round_chances);
        let proven = evaluation.bounds.verdict().map(|verdict| match verdict {
            Verdict::Draw => Proven::Draw,
            Verdict::Wins(side) if side == self.side => Proven::Win,
            Verdict::Wins(_) => Proven::Loss,
        });
        Knowledge {
            value: chances.map(|Outlook { win, loss, .. }| round(win - loss)),
            win: chances.map(|chances| chances.win),
            draw: chances.map(|chances| chances.draw),
            loss: chances.map(|chances| chances.loss),
            stderr: evaluation.stderr.map(round),
            score: evaluation
                .score
                .zip(self.unit)
                .map(|(value, unit)| ScorePart { value: round(value * sign), unit: unit.into() }),
            bound: outlook.map(|_| if same { evaluation.bound } else { evaluation.bound.flipped() }),
            proven,
            distance: evaluation.distance,
        }
    }

    /// The exact evaluation of a finished game.
    pub fn of_outcome(&self, outcome: Option<Outcome>) -> Knowledge {
        let Some(outcome) = outcome else {
            return Knowledge::default();
        };
        let score = outcome.score();
        self.of(&Evaluation {
            outlook: Some(Outlook::of_score(score)),
            score: outcome.margin.map(f64::from),
            stderr: None,
            bound: Bound::Exact,
            bounds: Bounds::exactly(score),
            distance: outcome.winner.filter(|_| outcome.margin.is_none()).map(|_| 0),
        })
    }
}

/// The chances from the other side.
fn turned(outlook: Outlook) -> Outlook {
    Outlook { win: outlook.loss, draw: outlook.draw, loss: outlook.win }
}

/// Rounds to six digits, more precise than any estimate, to keep responses short. Zero has no sign.
pub fn round(x: f64) -> f64 {
    (x * 1e6).round_ties_even() / 1e6 + 0.0
}

/// Rounds the chances so that they still add up to 1, the same from both sides. The draw absorbs the rounding error or, without
/// a draw, the larger chance. Two halves have no rounding error.
fn round_chances(outlook: Outlook) -> Outlook {
    let [win, draw, loss] = [outlook.win, outlook.draw, outlook.loss].map(round);
    let rest = round(1.0 - win - loss);
    if draw > 0.0 {
        Outlook { win, draw: rest.max(0.0), loss }
    } else if win > loss {
        Outlook { win: round(win + rest), draw, loss }
    } else {
        Outlook { win, draw, loss: round(loss + rest) }
    }
}

#[cfg(test)]
mod tests {
    use super::{Outlook, round_chances, turned};

    #[test]
    fn rounded_chances_add_up_to_1() {
        for part in 0..=640 {
            let win = f64::from(part) / 640.0;
            let rest = 1.0 - win;
            let without_draw = [rest, rest.next_up(), rest.next_down()].map(|loss| (0.0, loss));
            for (draw, loss) in without_draw.into_iter().chain([(rest / 3.0, rest / 1.5)]) {
                let outlook = Outlook { win, draw, loss };
                let rounded = round_chances(outlook);
                let Outlook { win, draw, loss } = rounded;
                assert!((win + draw + loss - 1.0).abs() < 1e-9, "{outlook:?} is rounded to {rounded:?}");
                assert!(win.min(draw).min(loss) >= 0.0 && (draw == 0.0) == (outlook.draw == 0.0), "{rounded:?}");
                assert_eq!(round_chances(turned(outlook)), turned(rounded));
            }
        }
    }
}
