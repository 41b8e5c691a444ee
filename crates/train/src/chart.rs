//! The learning curve as a picture.

use std::error::Error;

use plotters::prelude::*;

use crate::Epoch;

const SIZE: (u32, u32) = (800, 480);

/// Training and validation error by epoch, as an SVG file's text. `error` names what is measured.
///
/// # Errors
/// When the picture cannot be drawn.
pub fn chart(title: &str, error: &str, epochs: &[Epoch]) -> Result<String, Box<dyn Error + Send + Sync>> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let all = || epochs.iter().flat_map(|epoch| [epoch.training, epoch.validation]);
        let (least, most) = (all().fold(f64::INFINITY, f64::min), all().fold(0.0, f64::max));
        let rim = ((most - least) / 20.0).max(most / 1000.0).max(1e-9);
        let last = epochs.last().map_or(1, |epoch| epoch.number);
        let mut chart = ChartBuilder::on(&area)
            .caption(title, ("sans-serif", 18))
            .margin(12)
            .x_label_area_size(40)
            .y_label_area_size(64)
            .build_cartesian_2d(1..last.max(2), least - rim..most + rim)?;
        chart.configure_mesh().x_desc("epoch").y_desc(error).draw()?;
        type Part = (&'static str, RGBColor, fn(&Epoch) -> f64);
        let parts: [Part; 2] =
            [("training", BLUE, |epoch| epoch.training), ("validation", RED, |epoch| epoch.validation)];
        for (name, colour, error) in parts {
            let points = epochs.iter().map(|epoch| (epoch.number, error(epoch)));
            let line = chart.draw_series(LineSeries::new(points, colour.stroke_width(2)).point_size(2))?;
            line.label(name).legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour.stroke_width(2)));
        }
        chart.configure_series_labels().background_style(WHITE).border_style(BLACK).draw()?;
        area.present()?;
    }
    Ok(svg)
}
