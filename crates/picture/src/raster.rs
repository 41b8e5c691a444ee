//! A scene as a PNG file.

use png::{BitDepth, ColorType, Compression, Encoder, Filter};
use zeno::{Cap, Command, Join, Mask, PathBuilder as _, PathData as _, Placement, Scratch, Stroke, Style, Transform};

use crate::glyphs;
use crate::scene::{Colour, Outline, Scene, Shape};

/// Bytes per pixel.
const RGB: usize = 3;

/// Writes a scene at a size in pixels.
pub fn write(scene: &Scene, (width, height): (u32, u32)) -> Vec<u8> {
    let scale = width.max(height) as f32 / scene.width.max(scene.height);
    // The colour of the ground, which a last row of pixels that the ground covers only in part keeps.
    let ground = scene.layers.iter().flat_map(|(_, shapes)| shapes).find_map(|shape| shape.fill).unwrap_or(0xff_ffff);
    let [_, ground @ ..] = ground.to_be_bytes();
    let pixels = ground.repeat(width as usize * height as usize);
    let mut canvas = Canvas { pixels, width, height, scale, scratch: Scratch::new() };
    scene.layers.iter().flat_map(|(_, shapes)| shapes).for_each(|shape| canvas.paint(shape));
    encode(&canvas.pixels, width, height).expect("the pixels are as many as the header states")
}

fn encode(pixels: &[u8], width: u32, height: u32) -> Result<Vec<u8>, png::EncodingError> {
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, width, height);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Fast);
    encoder.set_filter(Filter::Up);
    encoder.write_header()?.write_image_data(pixels)?;
    Ok(file)
}

struct Canvas {
    pixels: Vec<u8>,
    width: u32,
    height: u32,
    /// Pixels per unit.
    scale: f32,
    scratch: Scratch,
}

impl Canvas {
    fn paint(&mut self, shape: &Shape) {
        let mut commands: Vec<Command> = Vec::new();
        match &shape.outline {
            Outline::Circle { x, y, radius } => {
                commands.add_circle([*x, *y], *radius);
            }
            Outline::Rectangle { x, y, width, height, round } if *round > 0.0 => {
                commands.add_round_rect([*x, *y], *width, *height, *round, *round);
            }
            Outline::Rectangle { x, y, width, height, .. } => {
                commands.add_rect([*x, *y], *width, *height);
            }
            Outline::Path(path) => commands.clone_from(path),
            Outline::Text { x, y, size, words } => {
                let em = size / glyphs::EM;
                for (letter, left, baseline) in glyphs::placed(words) {
                    let place = Transform::translation(x + left * em, y + baseline * em);
                    let place = Transform::scale(em, em).then(&place);
                    commands.extend(glyphs::outline(letter).commands().map(|command| command.transform(&place)));
                }
            }
        }
        let scale = Transform::scale(self.scale, self.scale);
        let commands: Vec<Command> = commands.iter().map(|command| command.transform(&scale)).collect();
        if let Some(colour) = shape.fill {
            self.cover(&commands, Style::default(), colour, shape.opacity);
        }
        if let Some((colour, width)) = shape.stroke {
            // Lines thinner than a pixel are drawn one pixel wide, but paler.
            let pixels = width * self.scale;
            let stroke = *Stroke::new(pixels.max(1.0)).cap(Cap::Round).join(Join::Round);
            self.cover(&commands, stroke.into(), colour, shape.opacity * pixels.min(1.0));
        }
    }

    /// Blends a colour over the area of a path.
    fn cover(&mut self, path: &[Command], style: Style<'_>, colour: Colour, opacity: f32) {
        let (mask, placement) = Mask::with_scratch(path, &mut self.scratch).style(style).render();
        let Placement { left, top, width, height } = placement;
        let [_, rgb @ ..] = colour.to_be_bytes();
        let opacity = (opacity * 256.0) as u32;
        let columns = 0.max(-left)..(width as i32).min(self.width as i32 - left);
        for row in 0.max(-top)..(height as i32).min(self.height as i32 - top) {
            let start = ((row + top) * self.width as i32 + left) * RGB as i32;
            for column in columns.clone() {
                let share = u32::from(mask[(row * width as i32 + column) as usize]) * opacity;
                if share == 0 {
                    continue;
                }
                let at = (start + column * RGB as i32) as usize;
                for (pixel, ink) in self.pixels[at..at + RGB].iter_mut().zip(rgb) {
                    // `share` is in parts of 255 · 256.
                    let mixed = u32::from(*pixel) * (65_280 - share) + u32::from(ink) * share;
                    *pixel = ((mixed + 32_640) / 65_280) as u8;
                }
            }
        }
    }
}
